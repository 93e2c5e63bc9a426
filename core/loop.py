"""The loop of one session: recall, plan, then generate, scan, execute, validate, reflect until it holds; remember.

    INIT -> RECALLING -> PLANNING -> [ GENERATING -> SCANNING -> EXECUTING -> VALIDATING ] -> REMEMBERING -> SOLVED
                            ^              ^            | denied          | fails                         -> UNSOLVED
                            |              |            v                 v                               -> OVER_BUDGET
                            +--------------+------- REFLECTING  (mends, tries another way, or plans again)

From every working state a session can also come to rest: NEEDS_PERSON until a question is answered, STOPPED until
somebody resumes it. How the stages are called, and why nothing is done twice, is in `core.stages`.
"""

from __future__ import annotations

import msgspec

from treadle.core import feedback
from treadle.core.counting import counted
from treadle.core.errors import BudgetExceeded, NeedsPerson, NoModel, NoPlugin, Stopped, UsageError
from treadle.core.plan_question import ANEW, GO_ON, plan_question
from treadle.core.records import (
    Attempt,
    Candidate,
    Execution,
    Feedback,
    FileChange,
    GenerateRequest,
    Lesson,
    Outcome,
    Plan,
    Question,
    Reflection,
    RejectedPlan,
    SessionState,
)
from treadle.core.stages import Stages
from treadle.core.strategy import Limit, Step, came_to_nothing, denied, judge, next_step, unmet, unusable, unwanted


def run(stages: Stages, limit: Limit) -> Outcome:
    """Take one session from its task to its end, or to where it has to rest."""
    course = Course(stages, limit)
    try:
        course.recall()
        course.plan()
        outcome = course.outcome(*course.attempt_until_it_holds())
        stages.remember(outcome)
    except BudgetExceeded as over:
        outcome = course.outcome("OVER_BUDGET", str(over), limited_by=over.setting, enough=over.enough)
        stages.remember(outcome)
    except (NeedsPerson, NoModel) as need:
        outcome = course.outcome("NEEDS_PERSON", str(need))
    except Stopped as stop:
        outcome = course.outcome("STOPPED", str(stop))
    stages.end(outcome.state)
    return outcome


_WHAT_TO_TRY = (
    "Say more exactly what is to change and where, name the files with --file, or try another model with "
    "--model coder=PROVIDER/MODEL"
)


_NOT_WANTED = "you did not want this plan followed"
_MOST_ATTEMPTS = "loop.max_attempts"


class Course:
    """What the loop knows so far."""

    def __init__(self, stages: Stages, limit: Limit) -> None:
        self._stages = stages
        self._limit = limit
        self._lessons: tuple[Lesson, ...] = ()
        self._rejected: tuple[RejectedPlan, ...] = ()
        self._plan = self._settled = Plan(steps=(), checks=())
        self._baseline: tuple[Execution, ...] = ()
        self._attempts: tuple[Attempt, ...] = ()
        self._grants = 0
        self._past_breaker = False
        self._wish: Feedback | None = None
        self._unwanted: list[tuple[FileChange, ...]] = []
        self._had_passed = 0
        self._advice = ""
        self._limited_by = ""

    def recall(self) -> None:
        """Ask every memory for lessons."""
        self._lessons = self._stages.recall()

    def plan(self) -> None:
        """Make the plan."""
        self._plan = self._stages.plan(self._lessons, self._rejected)

    def settle_tests(self) -> None:
        """Let the tests that were written for the plan count, or not, as the person's approval says; the same tests of
        a later plan are not asked about again."""
        if self._plan.tests != self._settled.tests:
            count = bool(self._plan.tests) and self._stages.tests_count(self._plan)
            self._settled = msgspec.structs.replace(self._plan, tests_count=count)
        self._plan = msgspec.structs.replace(self._plan, tests_count=self._settled.tests_count)

    def run_checks_first(self) -> None:
        """Run the plan's checks on the unchanged project."""
        is_check = self._stages.task.kind == "check"
        if not self._plan.checks and (self._plan.goal == "pass" or is_check):
            self._stages.note(f"nothing was run: {self._plan.steps[-1] if self._plan.steps else 'the plan is empty'}")
        self._baseline = self._stages.baseline(self._plan) if self._plan.baseline else ()
        for note in unusable(self._baseline):
            self._stages.note(note)

    def attempt_until_it_holds(self) -> tuple[SessionState, str]:
        """Attempt after attempt up the ladder; the state in which the session ends, and why."""
        looks_only = self._stages.task.kind == "check"  # at what was given, whatever anybody plans
        if not self._plan_is_wanted():
            return "UNSOLVED", _NOT_WANTED
        if self._plan.answer and not looks_only:
            return "SOLVED", ""
        if not self._stages.may_change:
            self._advice = "Ask a question, or let it be changed with --approve review"
            return "UNSOLVED", "nothing may be changed (approval is `read-only`)"
        self.settle_tests()
        self.run_checks_first()
        passes = self._plan.baseline and self._plan.goal == "pass" and not unmet(self._baseline, self._plan.checks)
        if passes and not looks_only:
            return "SOLVED", "every check passes already"
        while True:
            step = self._next_step()
            if step.kind == "end":
                self._limited_by = _MOST_ATTEMPTS
                return "UNSOLVED", f"{self._made}, and none holds"
            if step.kind != "attempt":
                if not self._may_go_on(step):
                    return "UNSOLVED", "the person ended it"
                continue
            request = self._request(step)
            candidate = self._edited() or self._stages.generate(request)
            if candidate is None:
                return "UNSOLVED", self._why_no_candidate(self._stages.noted_in("generate"))
            attempt = self._try(candidate, request)
            self._attempts += (attempt,)
            self._stages.attempt_ended(attempt)
            self._wish = self._stages.feedback(attempt)
            if self._wish is not None and not self._wish.restores:
                self._unwanted.append(candidate.files)
                self._attempts = (*self._attempts[:-1], feedback.spoken_against(attempt, self._wish))
                if attempt.verdict.state == "passed":
                    self._had_passed = attempt.number
                continue
            if attempt.verdict.state == "passed":
                return "SOLVED", ""
            reflection = self._stages.reflect(self._attempts, request)
            # The next request carries what was made of this attempt.
            self._attempts = (*self._attempts[:-1], msgspec.structs.replace(attempt, reflection=reflection))
            if reflection.next == "give up":
                return "UNSOLVED", reflection.wrong
            if reflection.next == "replan" and (end := self._plan_otherwise(reflection)) is not None:
                return end

    def outcome(self, state: SessionState, reason: str, limited_by: str = "", enough: str = "") -> Outcome:
        """What the session came to; `limited_by` is the setting that ended it, where it was no step of the ladder, and
        `enough` a value of it that leads on."""
        return Outcome(
            task=self._stages.task,
            state=state,
            attempts=self._attempts,
            baseline=self._baseline,
            lessons=self._lessons,
            reason=reason,
            notes=self._stages.notes,
            answer=self._plan.answer if not self._attempts else "",
            partial=self._stages.is_partial,
            short_of_plugins=self._stages.is_short_of_plugins,
            advice=self._advice if state == "UNSOLVED" else "",
            limited_by=self._limited_by if state == "UNSOLVED" else limited_by,
            had_passed=self._had_passed,
            enough=enough,
        )

    def _request(self, step: Step) -> GenerateRequest:
        return GenerateRequest(
            task=self._stages.task,
            plan=self._plan,
            workspace=self._stages.workspace,
            baseline=self._baseline,
            lessons=self._lessons,
            attempts=self._attempts,
            rung=step.rung,
            shown_first=self._stages.shown_first,
        )

    def _edited(self) -> Candidate | None:
        """The last attempt's change as the person has edited it, None where they have not."""
        if self._wish is None or self._wish.files is None:
            return None
        return self._stages.take(feedback.edited(self._wish, self._attempts[-1]), len(self._attempts))

    def _try(self, candidate: Candidate, request: GenerateRequest) -> Attempt:
        """Scan the candidate, and when nothing speaks against running it, run the checks on it and judge."""
        number = len(self._attempts) + 1
        if candidate.failed:
            return Attempt(number=number, candidate=candidate, verdict=came_to_nothing(candidate))
        theirs = self._wish if self._wish is not None and self._wish.files is not None else None
        if theirs is None and candidate.files in self._unwanted:
            return Attempt(number=number, candidate=candidate, verdict=unwanted())
        findings = self._stages.scan(candidate)
        refused = None if self._stages.has_ended_before else denied(findings)
        edited = theirs is not None and not theirs.chosen
        if refused is None:
            refused = self._stages.unapproved(candidate, findings, self._plan, by_person=edited)
        if refused is not None:
            return Attempt(number=number, candidate=candidate, findings=findings, verdict=refused)
        allowed = edited or self._stages.was_allowed
        executions = self._stages.execute(self._plan, candidate)
        signals = self._stages.validate(candidate, executions, request)
        return Attempt(
            number=number,
            candidate=candidate,
            findings=findings,
            allowed=allowed,
            executions=executions,
            signals=signals,
            verdict=judge(signals, executions, self._plan),
        )

    def _plan_otherwise(self, reflection: Reflection) -> tuple[SessionState, str] | None:
        """Make another plan after what was learnt from the attempts at this one; how the session ends where none
        comes."""
        learnt = f"{reflection.wrong} {reflection.advice}".strip()
        self._rejected += (RejectedPlan(plan=self._plan, words=learnt, was_tried=True),)
        try:
            self.plan()
        except UsageError as error:  # which ends a session that has tried nothing
            return "UNSOLVED", f"no other plan was made: {error}"
        if not self._plan_is_wanted():
            return "UNSOLVED", _NOT_WANTED
        if self._plan.answer:
            return "UNSOLVED", f"planned again, the task is said to need none: {self._plan.answer}"
        self.settle_tests()
        self.run_checks_first()
        return None

    def _plan_is_wanted(self) -> bool:
        """Put the plan to the person who wants to see it, and each that is made anew after what they say of one before;
        the session rests until they have answered. An answer to their question is no plan, and they are not asked about
        it."""
        while self._stages.task.shows_plan and not self._plan.answer:
            question = plan_question(self._plan, self._stages.notes)
            answer, words = self._stages.ask_in_words(question)
            if answer != ANEW:
                break
            self._plan_anew(words, self._stages.question_key(question))
        else:
            return True
        if answer == GO_ON:
            self._stages.plan_was_wanted(self._plan)
        return answer == GO_ON

    def _plan_anew(self, words: str, key: str) -> None:
        """Make another plan after what the person says of this one, as they answered to the question of that key. Where
        none comes, they can still have this one followed."""
        before = self._plan
        self._rejected += (RejectedPlan(plan=before, words=words),)
        try:
            self.plan()
        except (NoPlugin, UsageError, BudgetExceeded, Stopped) as error:
            why = f"no other plan was made: {error}"
            self._stages.ask_again(plan_question(before, (*self._stages.notes, why)), key)
            if isinstance(error, BudgetExceeded | Stopped):
                raise
            raise NeedsPerson(str(error)) from error  # the others end a session that has nothing to ask

    def _next_step(self) -> Step:
        """What comes next. What the person has answered to a question that need not be asked any more, since they have
        granted so many attempts, holds all the same."""
        known = self._attempts, self._grants, self._past_breaker
        asked = next_step(*known, msgspec.structs.replace(self._limit, granted=0), self._wish)
        if asked.kind in ("ask", "ask past breaker") and self._stages.has_answer(f"go-on-{len(self._attempts)}"):
            return asked
        return next_step(*known, self._limit, self._wish)

    def _may_go_on(self, step: Step) -> bool:
        """Ask the person at the end of the ladder, or at the open breaker; the session rests until they answer."""
        made = len(self._attempts)
        failures = tuple(f"attempt {a.number}: {'; '.join(a.verdict.reasons)}" for a in self._attempts)
        answer = self._stages.ask(
            Question(
                id=f"go-on-{made}",
                kind="continue",
                text=f"{counted(made, 'attempt')} {'has' if made == 1 else 'have'} not solved it. Go on?",
                options=("go on", "stop"),
                details=failures,
            )
        )
        if answer != "go on":
            return False
        if step.kind == "ask past breaker":
            self._past_breaker = True
        else:
            self._grants += 1
        return True

    def _why_no_candidate(self, notes: tuple[str, ...]) -> str:
        """`notes` are what the generators said; the last one of them had the last say."""
        if not self._attempts and self._stages.task.kind == "run":
            said = notes[-1] if notes else "nothing was changed"
            self._advice = _WHAT_TO_TRY
            return said.rstrip(".")
        if not self._attempts and not self._stages.has_tried and not notes:
            self._advice = "`treadle plugins` lists what is switched on"
            return "no plugin that is switched on has tried a change"
        if not self._attempts:
            return "no change was found that makes the checks pass"
        said = f": {notes[-1].rstrip('.')}" if notes else ""
        return f"no further change was found after {self._made}{said}"

    @property
    def _made(self) -> str:
        return counted(len(self._attempts), "attempt")
