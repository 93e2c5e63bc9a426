"""The stages of a session, one method each: enter the state, call the hook once and for all, log what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from treadle.core import allowances, approval, concerns, feedback, paths
from treadle.core.authorship import AND, GIVEN
from treadle.core.clearance import Clearance
from treadle.core.durations import in_seconds
from treadle.core.errors import NoPlugin, StageTimeout, UnsafePath
from treadle.core.events import Event
from treadle.core.excerpts import Excerpts
from treadle.core.patches.bases import Bases, MadeFrom, diff_of
from treadle.core.questions import asked_since, words_of
from treadle.core.records import (
    Approval,
    Attempt,
    Candidate,
    Execution,
    Feedback,
    FileChange,
    Finding,
    GenerateRequest,
    Job,
    Lesson,
    Outcome,
    Plan,
    Question,
    Reflection,
    RejectedPlan,
    SessionState,
    Signal,
    Task,
    Verdict,
    Workspace,
)
from treadle.core.said import said_by
from treadle.core.services import Services
from treadle.core.session_context import SessionContext
from treadle.core.stage_call import StageCall, Supervisor
from treadle.core.states import followers
from treadle.core.strategy import denied
from treadle.core.tree.laying import why_not
from treadle.core.tree.workspace import Tree
from treadle.core.wall import TOLD

# `left_out` tells of it.
_UNTOLD = frozenset({"treadle_contributions"})
# Those that look at a candidate, or have a say in whether it may run.
_LOOKING = frozenset({"scan", "validate", "approve"})
# The id of the question whether written tests count.
_TESTS = "tests"


class Stages:
    """The stages of one run of a session."""

    def __init__(
        self,
        services: Services,
        task: Task,
        workspace: Workspace,
        supervisor: Supervisor,
        *,
        stage_timeout_s: float,
    ) -> None:
        self.task = task
        self.workspace = workspace
        self._notes = task.notes
        self._services = services
        self._journal = services.journal
        self._supervisor = supervisor
        self._timeout_s = stage_timeout_s
        self._screening = services.screening
        self._state: SessionState = "INIT"
        self._steps = 0
        self._turn = ""
        self._attempt = 0
        self._written_tests: tuple[FileChange, ...] = ()
        self._bases = Bases(services.places, self._journal.session)

    # ------------------------------------------------------------ the stages, in the order of the loop

    def recall(self) -> tuple[Lesson, ...]:
        """Lessons worth knowing for this task."""
        self._enter("RECALLING")
        found: tuple[Lesson, ...] = self._stage(
            "recall", tuple[Lesson, ...], self._gather("treadle_recall", task=self.task), late=()
        )
        self._journal.once("recall.found", self._key("found"), {"lessons": [lesson.id for lesson in found]})
        return found

    def plan(self, lessons: tuple[Lesson, ...], rejected: tuple[RejectedPlan, ...] = ()) -> Plan:
        """The plan, in place of those that are rejected. Raises `NoPlugin` when nobody can make one, `UsageError`
        when the task can't be planned."""
        self._attempt = 0
        self._enter("PLANNING")
        ask = self._first("treadle_plan", task=self.task, lessons=lessons, workspace=self.workspace, rejected=rejected)

        def needed(context: SessionContext) -> Plan:
            # Raised in here, the stage is not finished, and a resume asks again once a plugin was switched on.
            plan: Plan | None = ask(context)
            if plan is None:
                raise NoPlugin(f"no enabled plugin can plan a {self.task.kind!r} task; see `treadle plugins`")
            return plan

        plan: Plan | None = self._stage("plan", Plan | None, needed, late=None)
        if plan is None:
            raise NoPlugin("planning did not finish in time; see `treadle plugins`")
        self._written_tests = plan.tests
        return plan

    def baseline(self, plan: Plan) -> tuple[Execution, ...]:
        """The plan's checks, run on the unchanged project. Raises `SafetyRefusal` when the sandbox refused."""
        self._enter("EXECUTING")
        return self._run("baseline", plan.checks)

    def generate(self, request: GenerateRequest) -> Candidate | None:
        """A candidate for the attempt that begins now, None when no plugin has one."""
        self._attempt = len(request.attempts) + 1
        self._enter("GENERATING")
        ask = self._first("treadle_generate", request=request)
        candidate: Candidate | None = self._stage(
            "generate", Candidate | None, lambda context: self._with_all_hands(self._in_place(ask(context))), late=None
        )
        return self._proposed(candidate) if candidate is not None else None

    def _in_place(self, candidate: Candidate | None) -> Candidate | None:
        """The candidate where its files can be laid over the project; else nothing came of it, and no job is asked to
        run with it, which the sandbox would refuse."""
        if candidate is None or self.task.kind == "check":
            return self._as_given(candidate)
        why = why_not(candidate.files, self.workspace.root)
        if not why:
            return candidate
        self._services.plugins.blame(candidate.by[0], "treadle_generate", f"the change can't be made: {why}")
        return msgspec.structs.replace(candidate, files=(), failed=f"the change can't be made: {why}")

    def _as_given(self, candidate: Candidate | None) -> Candidate | None:
        """What is checked is what the person gave, whoever has something else."""
        if candidate is None:
            return None
        if candidate.files != self.task.given or candidate.failed:
            why = "treadle_generate answered a `check` with something else than the files that the person gave"
            self._services.plugins.blame(candidate.by[0], "treadle_generate", why)
        return Candidate(files=self.task.given, why="the code as it was given", remedy=GIVEN, tried=1, total=1)

    def _with_all_hands(self, candidate: Candidate | None) -> Candidate | None:
        """The candidate, which says whose operators have made it as well: what another plugin brings is as much its
        own as what it answers itself."""
        if candidate is None or not candidate.by or self._services.is_stranger(candidate.by[0]):
            return candidate
        brought = self._services.plugins.brought
        operators = {each.name for each in brought.of_kind("operator")} & set(candidate.remedy.split(AND))
        owners = sorted({brought.owner("operator", name) for name in operators})
        return msgspec.structs.replace(candidate, by=tuple(dict.fromkeys((*candidate.by, *owners))))

    def _by_model(self, candidate: Candidate) -> bool:
        """Whether a candidate is one that a model wrote, or counts as such: nobody vouches for what wrote it."""
        return self._services.model_writes or any(map(self._services.is_stranger, candidate.by))

    def take(self, candidate: Candidate, attempts: int) -> Candidate:
        """The candidate that the person gave themselves after so many attempts, for the one that begins now; it is
        `by` nobody then, or by whoever made what they have chosen."""
        self._attempt = attempts + 1
        self._enter("GENERATING")
        chosen = self._with_all_hands(self._in_place(candidate)) if candidate.by else None
        return self._proposed(chosen or candidate)

    def _proposed(self, candidate: Candidate) -> Candidate:
        self._bases.keep_of(candidate, Tree(self.workspace))
        candidate = msgspec.structs.replace(candidate, files=tuple(map(_spelt, candidate.files)))
        # The stage's own result holds all of it, with the files of the rivals.
        level = candidate.confidence.level if candidate.confidence is not None else ""
        paths = [change.path for change in candidate.files]
        about = msgspec.structs.asdict(candidate) | {"files": paths, "confidence": level}
        self._journal.once("candidate.proposed", self._key("candidate"), about)
        return candidate

    def scan(self, candidate: Candidate) -> tuple[Finding, ...]:
        """What is worrying about the candidate, before anything of it runs."""
        self._enter("SCANNING")
        self._say_if_nobody("treadle_scan", "no scanner is enabled: the change was not scanned")
        findings: tuple[Finding, ...] = self._stage(
            "scan",
            tuple[Finding, ...],
            self._gather("treadle_scan", candidate=candidate, workspace=self.workspace),
            late=(
                Finding(
                    rule="scan-timeout",
                    path=candidate.files[0].path if candidate.files else "",
                    line=0,
                    severity="ask",
                    message="a scanner did not finish in time",
                    advice="read the change yourself before you accept it",
                ),
            ),
        )
        findings = self._screening.weighed(findings, candidate, Tree(self.workspace))
        self._journal.once("scan.found", self._key("findings"), {"findings": msgspec.to_builtins(findings)})
        return findings

    def unapproved(
        self, candidate: Candidate, findings: tuple[Finding, ...], plan: Plan, *, by_person: bool = False
    ) -> Verdict | None:
        """Why a candidate may not run that somebody should look at, None when it may, as of `core.clearance`:
        `NeedsPerson` until the person has answered where they have to. `by_person`: they have edited it themselves. One
        whose attempt `has_ended_before` stays as it was judged then."""
        by_model = self._by_model(candidate) and not by_person
        made_from = MadeFrom(candidate, Tree(self.workspace), self._bases)
        # Where checks are to run with what a model wrote, the person is asked whether these are installed.
        are_installed = plan.checks and self._services.model_writes
        settled = self._services.packages.asked_about(candidate.files, self.workspace) if are_installed else ()
        mode = self._screening.mode
        names_files = self._services.model_writes  # whoever plans a `fix` knows the tests that fail alone
        to_go = said_by(self.task, plan)
        asking = approval.concerns(
            mode,
            findings,
            candidate,
            plan,
            made_from,
            by_model=by_model,
            settled=settled,
            packages=self._screening.packages,
            names_files=names_files,
            to_go=to_go,
        )
        if by_model and mode == "auto":
            for taken in approval.taken_away(candidate, made_from, to_go):
                self.note(concerns.said(taken))
        if self.has_ended_before:
            refused = self._refused_then()
        else:
            clearance = self._clearance(Excerpts(candidate, made_from))
            refused = clearance.refusal(asking, by_model=by_model) if asking or clearance.is_denied else None
        if refused is None:
            self._screening.allow(candidate, asking)
        elif denied(findings) is None:
            self._screening.deny(candidate)
        return refused

    @property
    def has_ended_before(self) -> bool:
        """Whether the attempt that is made now has ended in an earlier run of the session. Whatever the settings say
        since, it is not refused now where it was not then, nor run where it was."""
        return self._ended is not None

    @property
    def _ended(self) -> Event | None:
        return self._journal.find("attempt.ended", self._attempt_key)

    @property
    def _attempt_key(self) -> str:
        return f"attempt.{self._attempt}{self._turn}"

    def _refused_then(self) -> Verdict | None:
        """Why the attempt was refused in an earlier run of the session, None where it was not."""
        ended = self._ended
        if ended is None or ended.data["verdict"] != "denied":
            return None
        words = words_of(self._journal.answered(self._loop_context().question_key(approval.RUN)))
        return Verdict(state="denied", reasons=tuple(ended.data["reasons"]), words=words)

    @property
    def was_allowed(self) -> bool:
        """Whether it was by a person's word, asked for or given before, that `unapproved` let the candidate pass."""
        key = self._loop_context().question_key(approval.RUN)
        return any(self._journal.find(kind, key) for kind in ("question.answered", allowances.EVENT))

    def _clearance(self, excerpts: Excerpts) -> Clearance:
        person = self._loop_context()

        def approve(question: Question) -> tuple[Approval, ...]:
            ask = self._each("treadle_approve", question=question)
            says: tuple[Approval, ...] = self._stage("approve", tuple[Approval, ...], ask, late=())
            return says

        key = person.question_key(approval.RUN)
        return Clearance(self._journal, self._screening, key, excerpts, approve, person.put)

    def tests_count(self, plan: Plan) -> bool:
        """Whether the tests that were written for the plan may speak against a candidate, and then they may run:
        `NeedsPerson` until the person has answered where they have to."""
        how = approval.how_tests_count(self._screening.mode, shown=self._screening.has_read(plan.tests))
        if self.has_answer(_TESTS):  # whatever the settings were when they were asked
            how = "ask"
        if how == "advice":
            self.note(
                f"tests were written for this, and are advice only (approval is `{self._screening.mode}`): "
                f"{', '.join(change.path for change in plan.tests)}; with --plan you see them first, and they count"
            )
        if how != "ask":
            return how == "count"
        text = "Tests were written for this. May they speak against a change?"
        details, code = approval.as_shown(plan.tests)
        if self.ask(Question(id=_TESTS, text=text, options=("yes", "no"), details=details, code=code)) != "yes":
            return False
        self._screening.read(plan.tests)
        return True

    def plan_was_wanted(self, plan: Plan) -> None:
        """The person has been shown the plan, with the tests that were written for it, and wants it followed."""
        self._screening.read(plan.tests)

    @property
    def shown_first(self) -> bool:
        """Whether nothing of a generator's change runs before the person has seen it."""
        return self._services.model_writes and self._screening.shown_first

    @property
    def may_change(self) -> bool:
        """Whether the person allows changes at all; code that they gave themselves is only looked at."""
        return self._screening.mode != "read-only" or self.task.kind == "check"

    def execute(self, plan: Plan, candidate: Candidate) -> tuple[Execution, ...]:
        """The plan's checks, run on the project with the candidate laid over it."""
        self._enter("EXECUTING")
        return self._run("execute", with_files(plan.checks, candidate))

    def validate(
        self, candidate: Candidate, executions: tuple[Execution, ...], request: GenerateRequest
    ) -> tuple[Signal, ...]:
        """What the validators say of the candidate, which answers the request."""
        self._enter("VALIDATING")
        self._say_if_nobody("treadle_validate", "no validator is enabled: only the checks' own outcome counts")
        signals: tuple[Signal, ...] = self._stage(
            "validate",
            tuple[Signal, ...],
            self._gather(
                "treadle_validate",
                candidate=candidate,
                workspace=self.workspace,
                execution=executions,
                baseline=request.baseline,
                request=request,
            ),
            late=(Signal(kind="validation", ok=False, summary="a validator did not finish in time"),),
        )
        return signals

    def reflect(self, attempts: tuple[Attempt, ...], request: GenerateRequest) -> Reflection:
        """What was wrong with the latest attempt, and what to do next. Nobody else is asked where the person has said
        so when they denied it."""
        self._enter("REFLECTING")
        verdict = attempts[-1].verdict
        if verdict.words:
            return Reflection(wrong="; ".join(verdict.reasons), advice=verdict.words, next="another")
        said: Reflection | None = self._stage(
            "reflect",
            Reflection | None,
            self._first("treadle_reflect", attempts=attempts, request=request),
            late=None,
        )
        return said or Reflection(wrong="; ".join(attempts[-1].verdict.reasons), advice="try another way")

    def feedback(self, attempt: Attempt) -> Feedback | None:
        """What the person has said of the attempt, None when they have said nothing. Then nobody else is asked what was
        wrong with it."""
        event = self._journal.said(feedback.KIND, feedback.key_of(attempt.number, self._turn))
        if event is not None:
            self._turn = feedback.turn_of(event)
            self._enter("REFLECTING")
        return feedback.of_event(event)

    def remember(self, outcome: Outcome) -> None:
        """Let every memory learn from how the session ended: also when there is no time left for anything else."""
        self._attempt = 0
        self._enter("REMEMBERING")
        tell = self._observe("treadle_remember", outcome=outcome)
        self._stage("remember", None, tell, late=None, mark=f".{outcome.state}", in_budget=False)

    def end(self, state: SessionState) -> None:
        """Enter the state in which the session ends or rests."""
        self._attempt = 0
        self._enter(state)

    # ------------------------------------------------------------ around the stages

    def ask(self, question: Question) -> str:
        """The person's answer; `NeedsPerson` until there is one."""
        return self.ask_in_words(question)[0]

    def ask_in_words(self, question: Question) -> tuple[str, str]:
        """The same, with what the person says besides."""
        context = self._loop_context()
        key = context.question_key(question.id)
        return context.put(question, key), words_of(self._journal.answered(key))

    def question_key(self, question: Question) -> str:
        """The key of the question which the loop asks here."""
        return self._loop_context().question_key(question.id)

    def ask_again(self, question: Question, key: str) -> None:
        """Let the person answer the question of that key another time: what they wanted can't be had for now. Until
        they do, their answer counts, and a resume tries once more."""
        about = {"question": msgspec.to_builtins(question), "plugin": ""}
        self._journal.once("question.asked", key, about, after=asked_since(self._journal, key))

    def has_answer(self, id: str) -> bool:
        """Whether the person has answered the question of that id which the loop asks here, in this session or in the
        one that it replays."""
        return self._journal.answered(self._loop_context().question_key(id)) is not None

    def _loop_context(self) -> SessionContext:
        context = SessionContext(self._services, "loop", self._key("loop"), None, self.workspace)
        context.check_open()
        return context

    def attempt_ended(self, attempt: Attempt) -> None:
        """Log how an attempt ended, and keep its change as it was made: the files may be others later."""
        if self.has_ended_before:
            return
        try:
            diff = diff_of(attempt.candidate, Tree(self.workspace), self._bases)
        except (UnsafePath, OSError):
            diff = ""
        verdict = attempt.verdict
        told = {"number": attempt.number, "verdict": verdict.state, "reasons": list(verdict.reasons)}
        kept = self._services.outputs.put_output(self._journal.session, diff) if diff else ""
        self._journal.once("attempt.ended", self._attempt_key, told | {"diff": kept})

    def note(self, text: str) -> None:
        """Something that the person should read in the result."""
        if text not in self._notes:
            self._notes += (text,)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know of the way: what the session and its plugins have noted, which plugins took no part
        although they are on, and what the project's own file said of plugins."""
        left = (str(event.data["text"]) for event in self._journal.all_of("note.left"))
        passed = (text for event in self._journal.all_of(allowances.EVENT) for text in _passed_notes(event))
        faults = (_fault_note(event.data) for event in self._faults)
        plugins = self._services.plugins
        out = map(self._services.redactor.text, (*plugins.left_out(), *plugins.of_projects_file()))
        over = (_passed_over_note(event.data) for event in self._journal.all_of("plugin.passed_over"))
        return tuple(dict.fromkeys((*self._notes, *left, *passed, *out, *over, *faults)))

    def noted_in(self, stage: str) -> tuple[str, ...]:
        """What was noted while that stage was at work at this step, in this run of the session or in an earlier one."""
        key = self._key(stage)
        began, ended = (self._journal.find(f"stage.{what}", key) for what in ("started", "finished"))
        within = range(began.seq, ended.seq) if began is not None and ended is not None else range(0)
        late = (str(event.data["error"]) for event in self._journal.all_of("stage.timed_out") if event.seq in within)
        left = (str(event.data["text"]) for event in self._journal.all_of("note.left") if event.seq in within)
        faults = (_fault_note(event.data) for event in self._faults if event.seq in within)
        return tuple(dict.fromkeys((*late, *left, *faults)))

    @property
    def _faults(self) -> tuple[Event, ...]:
        """Those of plugins of which a person is told."""
        return tuple(event for event in self._journal.all_of("plugin.fault") if event.data["hook"] not in _UNTOLD)

    @property
    def has_tried(self) -> bool:
        """Whether a generator has run anything to find a change."""
        return any(event.data["stage"] == "generate" for event in self._journal.all_of("execute.started"))

    @property
    def is_partial(self) -> bool:
        """Whether not everything could be looked at, as of `Outcome.partial`."""
        return self.is_short_of_plugins or bool(self.task.notes)

    @property
    def is_short_of_plugins(self) -> bool:
        """Whether a plugin that is on could not look, as of `Outcome.short_of_plugins`."""
        late = any(event.data["stage"] in _LOOKING for event in self._journal.all_of("stage.timed_out"))
        faults = any(_looks(event.data) for event in self._journal.all_of("plugin.fault"))
        over = self._journal.all_of("plugin.passed_over")
        return bool(late or faults or over or self._services.plugins.left_out())

    # ------------------------------------------------------------ how a stage is run

    def _enter(self, state: SessionState) -> None:
        if state not in followers(self._state):
            raise AssertionError(f"{state} can't follow {self._state}")
        self._state = state
        self._steps += 1
        self._journal.attempt = self._attempt
        # The state is part of the key: a session that rested here goes on from here in another one.
        self._journal.once("session.state", self._key(f"state.{state}"), {"state": state})

    def _key(self, what: str) -> str:
        # What came after an attempt before somebody spoke against it is not what comes after that.
        return f"{self._steps:03d}{self._turn}.{what}"

    def _say_if_nobody(self, hook: str, text: str) -> None:
        if not self._services.plugins.answerers(hook):
            self.note(text)

    def _stage(
        self,
        stage: str,
        answer_type: Any,
        do: Callable[[SessionContext], Any],
        *,
        late: Any,
        mark: str = "",
        in_budget: bool = True,
    ) -> Any:
        """The stage's answer: from the log when it is there, else by running it within its time. `late` is the answer
        of a stage that was given up, `mark` tells apart what may come at the same step of another run."""
        key = self._key(stage) + mark
        if in_budget:
            with self._services.ending_as_then("stage", key, stage):
                self._services.budget.check_time()
        began = self._services.clock()

        def run() -> Any:
            call: StageCall[Any] = StageCall(
                stage,
                lambda: do(
                    SessionContext(self._services, stage, key, call, self.workspace, written_tests=self._written_tests)
                ),
                self._timeout_s,
                self._services.clock,
            )
            with self._supervisor.watching(call):
                try:
                    answer = call.wait(self._services.stop)
                except StageTimeout as error:
                    self._timed_out(stage, key, str(error))
                    return late
            self._services.check_way()
            if call.out_of_time():
                self._timed_out(
                    stage, key, f"the stage {stage!r} ran out of its {in_seconds(self._timeout_s)} and came back"
                )
            return answer

        answer = self._journal.effect(
            "stage",
            key,
            answer_type,
            run,
            about=lambda: {"stage": stage},
            summary=lambda _: {"stage": stage, "seconds": round(self._services.clock() - began, 3)},
        )
        timed_out = self._journal.find("stage.timed_out", key)
        if timed_out is not None:
            self.note(str(timed_out.data["error"]))
        return answer

    def _timed_out(self, stage: str, key: str, error: str) -> None:
        plugins = [running.plugin for running in self._services.plugins.running()]
        named = f" ({', '.join(plugins)} was at work)" if plugins else ""
        self._journal.once("stage.timed_out", key, {"stage": stage, "error": error + named, "plugins": plugins})

    def _run(self, stage: str, jobs: tuple[Job, ...]) -> tuple[Execution, ...]:
        late = tuple(Execution(job=job.id, verdict="timeout", message="the stage ran out of time") for job in jobs)
        done: tuple[Execution, ...] = self._stage(
            stage, tuple[Execution, ...], lambda context: context.execute(jobs), late=late
        )
        return done

    def _first(self, hook: str, **arguments: Any) -> Callable[[SessionContext], Any]:
        return lambda context: self._services.plugins.call(hook, **arguments, context=context)

    def _each(self, hook: str, **arguments: Any) -> Callable[[SessionContext], Any]:
        def call(context: SessionContext) -> tuple[Any, ...]:
            self._tell_passed_over(hook)
            return tuple(self._services.plugins.call(hook, **arguments, context=context))

        return call

    def _gather(self, hook: str, **arguments: Any) -> Callable[[SessionContext], Any]:
        def call(context: SessionContext) -> tuple[Any, ...]:
            self._tell_passed_over(hook)
            return tuple(
                item for answer in self._services.plugins.call(hook, **arguments, context=context) for item in answer
            )

        return call

    def _tell_passed_over(self, hook: str) -> None:
        """Log who would look at a candidate and is not asked: the result must not read as if they had."""
        if hook.removeprefix("treadle_") in _LOOKING:
            for plugin in self._services.plugins.passed_over(hook):
                key = f"{plugin}.{hook}"
                self._journal.once("plugin.passed_over", key, {"plugin": plugin, "hook": hook})

    def _observe(self, hook: str, **arguments: Any) -> Callable[[SessionContext], None]:
        def call(context: SessionContext) -> None:
            for observer in self._services.plugins.observers(hook):
                self._services.plugins.tell(observer, hook, **arguments, context=context)

        return call


def _spelt(change: FileChange) -> FileChange:
    """The change with the one spelling of its file's name, by which it is compared with plans and patterns; a name that
    no patch may write stays, and is refused where it would be written."""
    try:
        return msgspec.structs.replace(change, path=paths.normal(change.path))
    except UnsafePath:
        return change


def _fault_note(fault: Mapping[str, Any]) -> str:
    about, hook = str(fault.get("about", "")), str(fault["hook"])
    error = str(fault["error"]).removeprefix(about).lstrip(": ")
    where = about or hook.removeprefix("treadle_")
    if hook in TOLD:
        more = ", and is told nothing more in this session" if fault["off"] else ""
        return f"the plugin {fault['plugin']} was at fault in {where}{more}: {error}"
    missing = "" if fault.get("kept") else ", and its answer there is missing"
    return f"the plugin {fault['plugin']} was at fault in {where}{missing}: {error}"


def _passed_over_note(passed: Mapping[str, Any]) -> str:
    where = str(passed["hook"]).removeprefix("treadle_")
    return f"the plugin {passed['plugin']} was not asked in {where}: it was switched off for its faults"


def _passed_notes(event: Event) -> tuple[str, ...]:
    """What a rule of the person's let pass, a line each; what they said in the session itself they know."""
    passed = (each for each in allowances.of_event(event) if each.by == "rule")
    return tuple(f"not asked about: {concerns.said(each.concern)}; {allowances.why(each)}" for each in passed)


def _looks(fault: Mapping[str, Any]) -> bool:
    """Whether a plugin was at fault in looking at a candidate, or in one of the rules by which a scanner does."""
    about = str(fault.get("about", ""))
    return str(fault["hook"]).removeprefix("treadle_") in _LOOKING or about.startswith("the scan rule ")


def with_files(checks: tuple[Job, ...], candidate: Candidate) -> tuple[Job, ...]:
    """The same checks with the candidate's files laid over the workspace."""
    return tuple(msgspec.structs.replace(job, files=job.files + candidate.files) for job in checks)
