"""Folding a session's events into its story: one line a stage, with what each discloses.

The story holds no truth of its own. A session that runs, one that is resumed and one of last week are told by the same
fold; what is only shown (progress, the words of a model as they come) is kept apart in `Now`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from treadle.core import allowances, concerns
from treadle.core.counting import counted
from treadle.core.events import TESTS, Delta, Event, Item, Printed, Progress
from treadle.core.forks import copied_up_to
from treadle.core.heard_again import replayed_by
from treadle.core.model_use import ModelUse, use_of
from treadle.core.questions import open_question, open_questions
from treadle.core.records import Feedback, Outcome, Question, RunChoices, SessionState, Task
from treadle.core.states import ENDED, RESTING
from treadle.core.worked_time import AFTER_A_REST
from treadle.tui import unsolved
from treadle.tui.asked_about import about_lines
from treadle.tui.durations import asked_again
from treadle.tui.result import Result, evidence, headline, result_of
from treadle.tui.safe_text import visible
from treadle.tui.story import choices, details, stage_words
from treadle.tui.story.details import Source
from treadle.tui.story.line import Line, State, detail, text_lines
from treadle.tui.story.line_tree import LineTree
from treadle.tui.story.now import Now

RUN_STAGES = ("baseline", "execute")
"""The stages that are nothing but runs."""


@dataclass
class Story:
    """A session as far as it has come. `root` is the line of the task; all others are below it. Its events up to the
    number `copied` are those of the session that it is a fork of. Where it ended and no attempt passed, `nearest` is
    the number of the one that came nearest, else 0. `choices` is how many changes pass every test and come to other
    ends, 0 where one does; `chosen_from` the attempt of which there was such a choice. `half_applied`: its patch is in
    the files in part, since applying it, or taking it back, has failed on the way; `patched` are the files of what was
    done last with it, in words. `layers` are those of the sandbox in which jobs ran last, the fewest that one had;
    None: none has run. `limit_usd` is the budget of money that was chosen for it. `interrupted`: nobody is at work on
    it, though its log knows of no rest. `on_unfit` is told why something of it can't be shown, and what that is: a line
    says so in its place."""

    source: Source
    on_unfit: Callable[[Exception, str], None] = lambda error, what: None
    root: Line = field(default_factory=lambda: Line("task", "task", "", "running"))
    session: str = ""
    task: Task | None = None
    state: SessionState = "INIT"
    diff: str = ""
    nearest: int = 0
    choices: int = 0
    chosen_from: int = 0
    applied: bool = False
    half_applied: bool = False
    patched: str = ""
    interrupted: bool = False
    layers: tuple[str, ...] | None = None
    limit_usd: float | None = None
    seq: int = 0
    copied: int = 0
    worked_s: float = 0.0
    last_time: float = 0.0
    now: Now = field(default_factory=Now)
    _tree: LineTree = field(init=False)
    _choices_key: str = ""
    _prints: Line | None = None
    _questions: list[Event] = field(default_factory=list)
    _asked: list[Event] = field(default_factory=list)
    _tests: int | None = None
    _asks_nobody: bool = False
    _judged: dict[str, tuple[State, str]] = field(default_factory=dict)
    """How attempts ended, and why, whatever was said of them since."""
    _edited: set[str] = field(default_factory=set)
    """The attempts whose change the person has edited."""
    _unfit: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._tree = LineTree(self.root, self._tell_unfit)

    # ------------------------------------------------------------ what it says

    @property
    def working(self) -> bool:
        """Whether the session is at work, as far as its log knows."""
        return self.state not in ENDED and self.state not in RESTING

    @property
    def question(self) -> Question | None:
        """What it rests on."""
        found = open_question(self._questions)
        return found[1] if found else None

    @property
    def use(self) -> ModelUse:
        """What it has asked of models."""
        return use_of(self._asked)

    @property
    def attempts(self) -> list[Line]:
        """The lines of its attempts, in order; not of those that were set aside."""
        return self._tree.attempts

    def can_be_chosen(self, line: Line) -> bool:
        """Whether it is of a change to choose from now: those of an earlier question have the same numbers."""
        return bool(self.choices) and line.kind == "choice" and line.key.startswith(f"{self._choices_key}.")

    # ------------------------------------------------------------ what it hears

    def fold_all(self, items: Iterable[Item]) -> None:
        """Fold these, in order."""
        for item in items:
            self.fold(item)

    def fold(self, item: Item) -> None:
        """Take in what happened. Events that it has heard are passed over."""
        if isinstance(item, Progress):
            self.now.count(item, self._tests if item.stage == "execute" and item.text == TESTS else None)
        elif isinstance(item, Delta):
            self.now.say(item)
        elif isinstance(item, Printed):
            self._fold_printed(item)
        elif item.seq > self.seq:
            self._fold_event(item)

    def _fold_printed(self, printed: Printed) -> None:
        line = self._prints
        if line is None or line.state != "running":
            return  # of jobs that are over, or were begun before anybody told this story
        self.now.print(printed)
        told = self.now.printed
        self._tree.tell(line, lambda: details.printed_details(line.key, tuple(told.values())))

    def _over(self, line: Line) -> None:
        """Its jobs are over: what they printed is told by the event that ends them, or not at all."""
        if line is self._prints:
            self._prints = None
            self.now.printed = {}
            line.tell(None)

    def _fold_event(self, event: Event) -> None:
        if self.last_time and event.kind not in AFTER_A_REST:
            self.worked_s += max(0.0, event.time - self.last_time)
        try:
            if (known := _ON.get(event.kind)) is not None:
                known(self, event, event.data)
            elif event.kind.startswith("plugin."):
                self._on_own_event_of_a_plugin(event, event.data)
        except Exception as error:  # noqa: BLE001 - the wall around one event: of another version of us, or of a plugin
            if event.kind not in self._unfit:
                self._unfit.add(event.kind)  # one of a kind is enough in a log
                self._tell_unfit(error, f"the event {event.seq} ({event.kind})")
            self._tree.add(
                self.root, Line(f"unfit.{event.seq}", "event", "This event can't be shown", result=event.kind)
            )
        self.seq, self.last_time = event.seq, event.time  # what was before is known until then

    def _tell_unfit(self, error: Exception, what: str) -> None:
        self.on_unfit(error, f"{what} of session {self.session} can't be shown")

    # ------------------------------------------------------------ the session

    def _on_session_created(self, event: Event, data: dict[str, Any]) -> None:
        self.session = event.session
        self.task = msgspec.convert(data["task"], Task)
        self.root.title = self.task.text or self.task.kind
        self.root.began = event.time
        self._keep_choices(data)
        self.copied = copied_up_to(event)
        self._asks_nobody = bool(replayed_by(event))
        if self.copied:
            self._tree.say(event, "Forked", "said", f"a copy of session {data['forked_from']}, which stays as it is")

    def _on_session_state(self, event: Event, data: dict[str, Any]) -> None:
        self._enter(data["state"], event)

    def _enter(self, state: SessionState, event: Event) -> None:
        rests = state in ENDED or state in RESTING
        self.state, self.interrupted = state, False
        if rests:
            resting: dict[str, State] = {"SOLVED": "ok", "NEEDS_PERSON": "waits", "STOPPED": "stopped"}
            self.root.state = resting.get(state, "failed")
            self._stop_lines("waits" if state == "NEEDS_PERSON" else "stopped", event.time)
        else:
            self.root.state, self.root.seconds = "running", None

    def _stop_lines(self, state: State, moment: float) -> None:
        """Nothing runs any more: what did is in that state."""
        self.root.seconds = self.worked_s
        self.now = Now()
        for line in self._tree:
            if line.state == "running":
                self._over(line)
                line.state, line.seconds = state, moment - (line.began or moment)

    def interrupt(self) -> None:
        """The program that was at work on it is gone, and could log nothing of that."""
        if self.working and not self.interrupted:
            self.interrupted = True
            self.root.state = "stopped"
            self._stop_lines("stopped", self.last_time)
            told = "Interrupted: the program that was at work on it is gone"
            self._tree.add(self.root, Line(f"interrupted.{self.seq}", "result", told, "stopped"))

    def _on_session_resumed(self, event: Event, data: dict[str, Any]) -> None:
        self.interrupt()  # where it has come to no rest before
        for line in self.root.children:
            if line.kind == "result":
                line.state = "said"  # what it rested on is past
        self._tree.say(event, "Resumed", result="what was finished is not done again")
        self.nearest = self.choices = 0
        self._keep_choices(data)
        self._enter("INIT", event)

    def _keep_choices(self, data: dict[str, Any]) -> None:
        if "choices" in data:
            usd = msgspec.convert(data["choices"], RunChoices).settings.get("budget.usd")
            self.limit_usd = float(usd) if isinstance(usd, int | float | str) else None  # a text of the command line

    def _on_session_rests(self, event: Event, data: dict[str, Any]) -> None:
        self._enter(data["state"], event)
        if "outcome" in data:
            seq, came = event.seq, self._result(data)
            line = self._tree.add(self.root, Line(f"result.{seq}", "result", headline(came), self.root.state))
            self._tree.tell(line, lambda: self._evidence(line.key, seq))
            if self.state in ENDED and came.nearest:
                self._say_nearest(seq, came)
            if came.rivals and came.disagreements:
                self._say_choices(seq, came)
            if came.had_passed:
                self._say_way_back(self.root, event, came.had_passed)

    def _result(self, data: dict[str, Any]) -> Result:
        return result_of(
            self.session,
            msgspec.convert(data["outcome"], Outcome),
            patch=str(data.get("diff", "")),
            seconds=self.worked_s,
            applied=self.applied,
            models=self.use,
            question=self.question,
            has_usd=self.limit_usd is not None,
        )

    def _say_choices(self, seq: int, came: Result) -> None:
        """That other changes pass every test: a question, though the session does not rest on it."""
        self.choices = len(came.rivals) + 1
        self.chosen_from = self.attempts[-1].number if self.attempts else 0
        self._choices_key = f"choices.{seq}"
        line = self._tree.add(self.root, Line(self._choices_key, "question", choices.asked(came), "waits"))
        self._tree.tell(line, lambda: self._choices(line.key, seq))

    def _choices(self, key: str, seq: int) -> list[Line]:
        event = self.source.event(seq)
        return choices.choice_lines(key, self._result(event.data)) if event else []

    def _say_nearest(self, seq: int, came: Result) -> None:
        """Which attempt is worth going on from, where none passed; opened, its change, and how to go on."""
        self.nearest = came.nearest
        diff = next((each.diff for each in self.attempts if each.number == came.nearest), "")
        line = Line(f"nearest.{seq}", "event", "Nearest", "said", unsolved.standing(came))
        line = self._tree.add(self.root, line)
        self._tree.tell(line, lambda: self._nearest_details(line.key, seq, diff))

    def _nearest_details(self, key: str, seq: int, diff: str) -> list[Line]:
        event = self.source.event(seq)
        if event is None:
            return []
        came = self._result(event.data)
        said = [f"advice: {advice}" for advice in came.advice]
        if came.task == "run":
            said.append(f"/retry {came.nearest} WORDS goes on from it, with what you say of it")
        change = details.capped(f"{key}.change", visible(self.source.output(diff) or ""), "code")
        return [*(detail(f"{key}.{number}", text) for number, text in enumerate(said)), *change]

    def _evidence(self, key: str, seq: int) -> list[Line]:
        event = self.source.event(seq)
        return text_lines(key, "\n".join(evidence(self._result(event.data)))) if event else []

    def _on_session_ended(self, event: Event, data: dict[str, Any]) -> None:
        self._on_session_rests(event, data)
        self.diff = str(data.get("diff", ""))

    def _on_session_failed(self, event: Event, data: dict[str, Any]) -> None:
        self._tree.say(event, "Failed", "failed", str(data.get("error", "")))

    # ------------------------------------------------------------ stages

    def _on_stage_started(self, event: Event, data: dict[str, Any]) -> None:
        self.now = Now(stage=str(data["stage"]))
        self._weigh_questions(event)
        key = f"stage.{data['key']}"
        title = stage_words.TITLES.get(str(data["stage"]), str(data["stage"]))
        line = self._tree.add(self._tree.goes_on(event), Line(key, "stage", title, "running", began=event.time))
        self._prints = line

    def _on_stage_settled(self, event: Event, data: dict[str, Any]) -> None:
        self._tree.goes_on(event)
        self._prints = self._tree.again(f"stage.{data['key']}", event) or self._prints

    def _on_stage_finished(self, event: Event, data: dict[str, Any]) -> None:
        line = self._tree.get(f"stage.{data['key']}")
        if line is None:
            return
        self._over(line)
        self.now = Now()
        line.state, line.seconds = "ok", float(data.get("seconds", 0.0))
        stage, seq = str(data["stage"]), event.seq
        result = data.get("result")
        if stage == "baseline" and result is not None:
            self._tests = details.tests_in(result)
        told = stage_words.CAME_OF.get(stage)
        if told is None or result is None:
            return
        state, line.result, has_more = told(result)
        line.state = state
        if has_more:
            self._tree.tell(line, lambda: self._stage_details(line.key, stage, seq))

    def _stage_details(self, key: str, stage: str, seq: int) -> list[Line]:
        event = self.source.event(seq)
        if event is None:
            return []
        result = event.data.get("result")
        if stage in RUN_STAGES:
            return details.run_details(key, details.runs_of(result), self.source)
        return stage_words.DETAILS_OF[stage](key, result)

    def _on_stage_timed_out(self, event: Event, data: dict[str, Any]) -> None:
        self._tree.say(event, "Out of time", "failed", str(data.get("error", "")))

    # ------------------------------------------------------------ what stages do

    def _on_execute_started(self, event: Event, data: dict[str, Any]) -> None:
        if data.get("stage") in RUN_STAGES:
            return  # the stage itself tells of them
        jobs = int(data.get("jobs", 0))
        title = f"{counted(jobs, 'run')} in the sandbox"
        line = Line(f"run.{data['key']}", "run", title, "running", began=event.time)
        self._prints = self._tree.add(self._tree.place(event), line)

    def _on_execute_settled(self, event: Event, data: dict[str, Any]) -> None:
        self._prints = self._tree.again(f"run.{data['key']}", event) or self._prints

    def _on_execute_finished(self, event: Event, data: dict[str, Any]) -> None:
        ran = [tuple(map(str, run.get("layers") or ())) for run in data.get("result") or () if run.get("wall_s")]
        self.layers = min(ran, key=len, default=self.layers)
        line = self._tree.get(f"run.{data['key']}")
        if line is None:
            return
        self._over(line)
        line.state, line.seconds = "said", event.time - (line.began or event.time)
        line.result = ", ".join(f"{count} {verdict}" for verdict, count in dict(data.get("verdicts") or {}).items())
        seq = event.seq
        self._tree.tell(line, lambda: self._run_details(line.key, seq))

    def _run_details(self, key: str, seq: int) -> list[Line]:
        event = self.source.event(seq)
        return details.run_details(key, details.runs_of(event.data["result"]), self.source) if event else []

    def _on_complete_started(self, event: Event, data: dict[str, Any]) -> None:
        self.now = Now(stage=str(data.get("stage", "")), asks=True)
        title = f"Ask a model ({data.get('role', '')})"
        line = self._tree.add(
            self._tree.place(event), Line(f"model.{data['key']}", "model", title, "running", began=event.time)
        )
        ref = str(data.get("request", ""))
        self._tree.tell(line, lambda: details.model_details(line.key, {}, ref, self.source))

    def _on_complete_settled(self, event: Event, data: dict[str, Any]) -> None:
        self._tree.again(f"model.{data['key']}", event)

    def _on_complete_finished(self, event: Event, data: dict[str, Any]) -> None:
        self._keep_asked(_without_result(event))
        line = self._tree.get(f"model.{data['key']}")
        if line is None:
            return
        line.state, line.seconds = "ok", float(data.get("seconds", 0.0))
        line.result = stage_words.answered(data)
        asked, seq = event.parent, event.seq
        self._tree.tell(line, lambda: self._model_details(line.key, asked, seq))

    def _on_complete_failed(self, event: Event, data: dict[str, Any]) -> None:
        line = self._tree.get(f"model.{data['key']}")
        if line is not None:
            line.state, line.result = "failed", str(data["message"])

    def _model_details(self, key: str, asked: int, seq: int) -> list[Line]:
        parent, event = self.source.event(asked), self.source.event(seq)
        ref = str(parent.data.get("request", "")) if parent else ""
        return details.model_details(key, event.data if event else {}, ref, self.source)

    def _on_model_failed(self, event: Event, data: dict[str, Any]) -> None:
        self._keep_asked(event)
        later = asked_again(data.get("again_in_s"))
        self._tree.say(event, f"{data['model']} gave no reply", "failed", f"{data['message']}{later}")

    def _keep_asked(self, event: Event) -> None:
        if event.seq > self.copied and not self._asks_nobody:
            use_of((event,))  # raises here, and not whenever somebody wants to know, for numbers that are none
            self._asked.append(event)

    def _on_model_absent(self, event: Event, data: dict[str, Any]) -> None:
        self._tree.say(event, "Not asked", "said", str(data["why"]))

    def _on_model_switched(self, event: Event, data: dict[str, Any]) -> None:
        self._tree.say(
            event, "Another model", "said", f"{data['to']} is asked in place of {data['from']}: {data['why']}"
        )

    def _on_budget_warned(self, event: Event, data: dict[str, Any]) -> None:
        self._tree.say(event, "Budget", "waits", str(data["text"]))

    def _on_packages_installed(self, event: Event, data: dict[str, Any]) -> None:
        names = ", ".join(str(line).partition(" ")[0] for line in data["packages"])
        self._tree.say(event, "Packages", "ok", f"installed for the sandbox: {names}")

    def _on_packages_failed(self, event: Event, data: dict[str, Any]) -> None:
        self._tree.say(event, "Packages", "failed", str(data["error"]))

    def _on_note_left(self, event: Event, data: dict[str, Any]) -> None:
        self._tree.say(event, "Note", "said", str(data["text"]))

    def _on_plugin_fault(self, event: Event, data: dict[str, Any]) -> None:
        off = " (switched off for this session)" if data.get("off") else ""
        self._tree.say(event, f"Plugin {data['plugin']} was at fault{off}", "failed", str(data["error"]))

    def _on_plugin_passed_over(self, event: Event, data: dict[str, Any]) -> None:
        self._tree.say(event, f"Plugin {data['plugin']} was not asked", "waits", "it was switched off for its faults")

    def _on_own_event_of_a_plugin(self, event: Event, data: dict[str, Any]) -> None:
        title = event.kind.removeprefix("plugin.").replace(".", ": ", 1).replace("_", " ")
        line = self._tree.say(event, title)
        seq = event.seq
        self._tree.tell(line, lambda: self._own_details(line.key, seq))

    def _own_details(self, key: str, seq: int) -> list[Line]:
        event = self.source.event(seq)
        told = {name: value for name, value in (event.data if event else {}).items() if name != "key"}
        return [detail(f"{key}.{name}", f"{name}: {value}") for name, value in told.items()]

    # ------------------------------------------------------------ attempts, questions, the patch

    def _on_candidate_proposed(self, event: Event, data: dict[str, Any]) -> None:
        line = self._tree.attempt(event)
        line.result = str(data.get("why", ""))

    def _on_attempt_ended(self, event: Event, data: dict[str, Any]) -> None:
        line = self._tree.attempt(event)
        line.state = "ok" if data["verdict"] == "passed" else "failed"
        line.seconds = event.time - (line.began or event.time)
        line.result = "; ".join(map(str, data.get("reasons") or ())) or str(data["verdict"])
        line.diff = str(data.get("diff", ""))
        self._judged[line.key] = (line.state, line.result)
        before = self.attempts[: self.attempts.index(line)] if line in self.attempts else []
        if line.state == "failed" and before and before[-1].key in self._edited:
            passed = [each for each in before if each.key in self._judged and self._judged[each.key][0] == "ok"]
            if passed:
                self._say_way_back(line, event, passed[-1].number)

    def _say_way_back(self, below: Line, event: Event, attempt: int) -> None:
        told = f"/retry {attempt} goes back to attempt {attempt}, which passed"
        self._tree.add(below, Line(f"back.{event.seq}", "event", "Way back", "said", told))

    def _on_question_asked(self, event: Event, data: dict[str, Any]) -> None:
        question = msgspec.convert(data["question"], Question)
        key = f"question.{data['key']}"
        self._weigh_questions(event)
        line = self._tree.add(self._tree.place(event), Line(key, "question", question.text))
        line.state, line.result = "waits", ""  # also where it is asked again
        self._tree.tell(line, lambda: about_lines(key, question))

    def _on_question_answered(self, event: Event, data: dict[str, Any]) -> None:
        line = self._tree.get(f"question.{data['key']}")
        self._questions.append(event)
        if line is not None:
            words = f": {data['words']}" if data.get("words") else ""
            line.state, line.result = "said", f"you: {data['answer']}{words}"

    def _on_concerns_allowed(self, event: Event, data: dict[str, Any]) -> None:
        passed = allowances.of_event(event)
        line = self._tree.say(
            event, "Not asked about", "said", ", ".join({allowances.why(each): "" for each in passed})
        )
        told = [concerns.said(each.concern) for each in passed]
        self._tree.tell(line, lambda: [detail(f"{line.key}.{n}", text) for n, text in enumerate(told)])

    def _on_feedback_given(self, event: Event, data: dict[str, Any]) -> None:
        self._weigh_questions(event)
        said = msgspec.convert(data["feedback"], Feedback)
        line = self._tree.attempt(event)
        words = said.words.strip()
        self._edited.discard(line.key)
        if said.restores:
            how = "back to this attempt, which passed"
            line.state, line.result = self._judged.get(line.key, ("ok", "passed"))
        else:
            how = (
                "another choice"
                if said.chosen
                else "your own edit"
                if said.files
                else "another approach"
                if said.another
                else "another attempt"
            )
            line.state = "failed"
            line.result = f"you: {words or how}"  # what spoke for it counts no more; its stages still tell of that
            self._edited.update([line.key] if said.files else [])
        self._tree.say(event, "You", "said", f"{words} ({how})" if words else how)
        for came in self.root.children:
            if came.kind == "result" and came.state == "ok":  # what it praised can't be accepted any more
                came.title, came.state = "Result", "said"
                came.result = "rejected" if words and not said.chosen else "set aside"
        for later in self.attempts:
            if later.number > said.attempt:
                self._judged.pop(later.key, None)
                self._edited.discard(later.key)
                self._tree.set_aside(later, event)
        self.diff, self.nearest = "", 0

    def _weigh_questions(self, event: Event) -> None:
        """Whether some are asked no more from this event on."""
        self._questions.append(event)
        self._ask_no_more("asked no more", but={f"question.{each}" for each in open_questions(self._questions)})

    def _ask_no_more(self, why: str, but: Collection[str] = ()) -> None:
        for asked in self._tree:
            if asked.kind == "question" and asked.state == "waits" and asked.key not in but:
                asked.state, asked.result = "said", why

    def _on_patch_applied(self, event: Event, data: dict[str, Any]) -> None:
        self._ask_no_more("you accepted the patch")
        self.applied, self.half_applied, self.patched = True, False, ", ".join(map(str, data["files"]))
        self._tree.say(event, "Applied", "ok", self.patched)

    def _on_patch_undone(self, event: Event, data: dict[str, Any]) -> None:
        # Of one that could not be applied whole, what was written is undone as well.
        told = "Taken back" if self.applied or self.half_applied else "Not applied"
        self.applied = self.half_applied = False
        merged = list(map(str, data.get("merged") or ()))
        whole = ", ".join(each for each in map(str, data["files"]) if each not in merged)
        in_part = f"{', '.join(merged)} with other lines as they were changed since" if merged else ""
        self.patched = "; ".join(filter(None, (whole, in_part)))
        self._tree.say(event, told, "said", self.patched)

    def _on_patch_half_done(self, event: Event, data: dict[str, Any]) -> None:
        names = list(map(str, data["files"]))
        if data["written"] == len(names):
            title = "Not taken back" if self.applied else "Applied"
            told = "all its files are as the patch makes them, and nothing more could be done or noted"
            self.applied, self.half_applied, self.patched = True, False, ", ".join(names)
        else:
            title, told = "In part", f"{data['written']} of {len(names)} files are as the patch makes them"
            self.applied, self.half_applied = False, bool(data["written"])
        self._tree.say(event, title, "failed", told)


_ON: dict[str, Callable[[Story, Event, dict[str, Any]], None]] = {
    "session.created": Story._on_session_created,
    "session.state": Story._on_session_state,
    "session.resumed": Story._on_session_resumed,
    "session.rests": Story._on_session_rests,
    "session.ended": Story._on_session_ended,
    "session.failed": Story._on_session_failed,
    "stage.started": Story._on_stage_started,
    "stage.settled": Story._on_stage_settled,
    "stage.finished": Story._on_stage_finished,
    "stage.timed_out": Story._on_stage_timed_out,
    "execute.started": Story._on_execute_started,
    "execute.settled": Story._on_execute_settled,
    "execute.finished": Story._on_execute_finished,
    "complete.started": Story._on_complete_started,
    "complete.settled": Story._on_complete_settled,
    "complete.finished": Story._on_complete_finished,
    "complete.failed": Story._on_complete_failed,
    "model.failed": Story._on_model_failed,
    "model.absent": Story._on_model_absent,
    "model.switched": Story._on_model_switched,
    "budget.warned": Story._on_budget_warned,
    "packages.installed": Story._on_packages_installed,
    "packages.failed": Story._on_packages_failed,
    "note.left": Story._on_note_left,
    "plugin.fault": Story._on_plugin_fault,
    "plugin.passed_over": Story._on_plugin_passed_over,
    "candidate.proposed": Story._on_candidate_proposed,
    "attempt.ended": Story._on_attempt_ended,
    "question.asked": Story._on_question_asked,
    "question.answered": Story._on_question_answered,
    "concerns.allowed": Story._on_concerns_allowed,
    "feedback.given": Story._on_feedback_given,
    "patch.applied": Story._on_patch_applied,
    "patch.undone": Story._on_patch_undone,
    "patch.half_done": Story._on_patch_half_done,
}
"""What is done about an event, by its kind and nothing that only looks like it: plugins name events of their own."""


def _without_result(event: Event) -> Event:
    """What is kept of a model's answer: not the answer."""
    return msgspec.structs.replace(event, data={name: v for name, v in event.data.items() if name != "result"})
