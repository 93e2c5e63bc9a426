"""The retry ladder, the circuit breaker and the judgement of an attempt: what to do next, decided on plain values."""

from __future__ import annotations

from typing import Literal

from treadle.core import paths
from treadle.core.errors import UsageError
from treadle.core.records import (
    LADDER,
    Attempt,
    Candidate,
    Execution,
    Feedback,
    Finding,
    Job,
    Plan,
    Record,
    Rung,
    Signal,
    Verdict,
)
from treadle.core.testrun import NO_SUCH_TEST, is_test_job, report_of


class Limit(Record, frozen=True, kw_only=True):
    """The ladder and where it ends. `ladder` holds a rung for each attempt that one grant of the person allows.
    `same_failure` equal failures in a row skip to the next different rung. At `breaker` attempts in all the breaker
    opens, and `maximum` is the end, but for what the person asks for: so many attempts in all they have `granted`
    beforehand, and are not asked about."""

    ladder: tuple[Rung, ...] = LADDER
    same_failure: int = 3
    breaker: int = 12
    maximum: int = 15
    granted: int = 0


class Step(Record, frozen=True, kw_only=True):
    """What comes next: an attempt on a rung of the ladder, a question to the person, or the end."""

    kind: Literal["attempt", "ask", "ask past breaker", "end"]
    rung: Rung = "generate"


def next_step(
    attempts: tuple[Attempt, ...], grants: int, past_breaker: bool, limit: Limit, wish: Feedback | None = None
) -> Step:
    """The step after these attempts. `grants` counts the further ladders that the person has allowed, `past_breaker`
    whether they have said "go on" past the open breaker. `wish` is what they said of the last attempt: who says what
    they want is not asked whether to go on, and gets one more, also after the maximum, which is for those that nobody
    has asked for."""
    made = len(attempts)
    if wish is not None:
        return Step(kind="attempt", rung="another" if wish.another else "repair")
    if made >= limit.maximum:
        return Step(kind="end")
    asks = made >= limit.granted
    if asks and made >= limit.breaker and not past_breaker:
        return Step(kind="ask past breaker")
    place = _place_on_ladder(attempts, limit)
    if asks and place >= len(limit.ladder) * (1 + grants):
        return Step(kind="ask")
    return Step(kind="attempt", rung=_rung(attempts, limit.ladder[place % len(limit.ladder)]))


def _rung(attempts: tuple[Attempt, ...], rung: Rung) -> Rung:
    """The ladder's rung, unless the last reflection wants another approach, or a new plan, where the ladder would only
    repair."""
    last = attempts[-1].reflection if attempts else None
    return "another" if rung == "repair" and last is not None and last.next in ("another", "replan") else rung


def _place_on_ladder(attempts: tuple[Attempt, ...], limit: Limit) -> int:
    """How many rungs are used up: one for each attempt, and those skipped because the same failure kept coming."""
    place = 0
    alike = 0
    last: tuple[str, ...] | None = None
    for attempt in attempts:
        rung = limit.ladder[place % len(limit.ladder)]
        place += 1
        alike = alike + 1 if attempt.verdict.reasons == last else 1
        last = attempt.verdict.reasons
        if alike >= limit.same_failure:
            alike = 0
            while place % len(limit.ladder) and limit.ladder[place % len(limit.ladder)] == rung:
                place += 1
    return place


def came_to_nothing(candidate: Candidate) -> Verdict:
    """The verdict on a candidate of which its generator says itself that nothing came."""
    return Verdict(state="failed", reasons=(candidate.failed,))


def unwanted() -> Verdict:
    """The verdict on a change that the person has spoken against, and that came once more."""
    return Verdict(state="failed", reasons=("it is once more the change that you did not want",))


def denied(findings: tuple[Finding, ...]) -> Verdict | None:
    """The verdict on a candidate that must not run at all, None when no finding denies it."""
    against = tuple(
        f"{paths.shown_at(f.path, f.line)}: {f.message} ({f.rule})" for f in findings if f.severity == "deny"
    )
    return Verdict(state="denied", reasons=against) if against else None


def not_approved(concerns: tuple[str, ...], words: str = "") -> Verdict:
    """The verdict on a candidate that may not run for these concerns, with what the person says of it."""
    said = (f"the person says: {words}",) if words else ()
    return Verdict(state="denied", reasons=(*said, *concerns), words=words)


def judge(signals: tuple[Signal, ...], executions: tuple[Execution, ...], plan: Plan) -> Verdict:
    """The verdict on a candidate that was run. Any signal against it fails it, unless a change is all that is wanted
    and it made nothing worse. Where no validator judged the tests, the outcome of the checks themselves decides."""
    against = tuple(s.summary for s in signals if not s.ok and (plan.goal != "change" or s.worse))
    if against:
        return Verdict(state="failed", reasons=against)
    if not any(s.kind == "tests" for s in signals):
        reasons = unmet(executions, plan.checks)
        if reasons:
            return Verdict(state="failed", reasons=reasons)
    return Verdict(state="passed", reasons=tuple(s.summary for s in signals))


NOT_EXECUTABLE, NOT_FOUND = 126, 127
"""What a shell, and our runner of commands, answers for a command that can't be started (POSIX.1-2017, XCU 2.8.2)."""


def unusable(baseline: tuple[Execution, ...]) -> tuple[str, ...]:
    """What a person must know of checks whose outcome says little. Raises `UsageError` for one that can't be started,
    and for a name that none of the tests has, since no change of the project could make it pass."""
    notes = []
    for execution in baseline:
        if execution.exit_code in (NOT_EXECUTABLE, NOT_FOUND):
            raise UsageError(f"the command that should test the project can't be started: {_last_words(execution)}")
        report = report_of(execution)
        missing = [each for each in report.problems if each.exception == NO_SUCH_TEST] if report else []
        # Beside other problems, as a file that can't be imported, the name may be one of a test that was not found.
        if report and missing and len(missing) == len(report.problems):
            raise UsageError("; ".join(f"{each.id}: {each.message}" for each in missing))
        if execution.verdict not in ("ok", "error"):
            notes.append(f"the check {execution.job!r} was ended by a limit of the sandbox ({execution.verdict})")
    return tuple(notes)


def _last_words(execution: Execution) -> str:
    """The most telling line that a failed check left: of its report, else of its errors."""
    report = report_of(execution)
    if report is not None and report.failing:
        return report.failing[-1].message
    lines = execution.stderr.text.strip().splitlines()
    return lines[-1] if lines else execution.message or f"exit code {execution.exit_code}"


def unmet(executions: tuple[Execution, ...], jobs: tuple[Job, ...]) -> tuple[str, ...]:
    """Why the checks do not hold, a sentence each; empty when all of them do."""
    reasons = []
    for job, execution in zip(jobs, executions, strict=True):
        report = report_of(execution) if is_test_job(job) else None
        if report is not None:
            if report.failing:
                names = ", ".join(t.id or t.message for t in report.failing[:5])
                reasons.append(f"{len(report.failing)} failing: {names}")
            elif not report.complete:
                reasons.append(f"the test run was cut off ({execution.verdict})")
        elif is_test_job(job):
            reasons.append(f"the test run left no report ({execution.message or execution.verdict})")
        elif execution.verdict != "ok":
            reasons.append(f"{job.id}: {execution.verdict}, exit code {execution.exit_code}")
    return tuple(reasons)
