"""Which attempt came nearest where none passed, and how the tests stand with it: decided on plain values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from treadle.core.records import Attempt, Execution, Outcome, Record
from treadle.core.same_test import same_id
from treadle.core.testrun import report_of


class Compared(Record, frozen=True, kw_only=True):
    """The tests with an attempt beside those before it, by their ids: `mended` failed and pass now, `broken` passed and
    do not now, whether they fail, are skipped or are gone; `unknown` passed too, and were ended now before their own
    time was up. `passing` and `failing` count all that ran now; what failed outside of any test counts as failing."""

    mended: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    passing: int = 0
    failing: int = 0


def speaks_for(execution: Execution) -> bool:
    """Whether a run tells anything for a change: a test passed, or the command ended well."""
    report = report_of(execution)
    return bool(report.passing) if report is not None else execution.verdict == "ok"


def nearest(outcome: Outcome) -> Attempt | None:
    """The attempt that came nearest. None where one passed, where nothing is known of any of them (they were denied, or
    nothing was run with them), and where the code was given, which is no attempt at anything.

    It is the one that broke the fewest tests (those of which nobody knows how they end count as broken), of those the
    one that mended the most, of those the one that the fewest checks speak against, and of those the earliest."""
    if outcome.winner is not None or outcome.task.kind == "check":
        return None
    judged = [attempt for attempt in outcome.attempts if _is_known(attempt, outcome.baseline)]
    if len(judged) < 2:
        return next(iter(judged), None)
    before = _Tests.of(outcome.baseline)
    return min(judged, key=lambda attempt: _distance(attempt, before))


def compared(before: Sequence[Execution], now: Sequence[Execution]) -> Compared:
    """The tests of these runs, before and with a change. A run without a report has passed nothing."""
    return _compared(_Tests.of(before), _Tests.of(now))


def _is_known(attempt: Attempt, baseline: Sequence[Execution]) -> bool:
    return bool(attempt.executions) or (bool(attempt.signals) and not baseline)


class _Tests(Record, frozen=True, kw_only=True):
    """The ids of the tests that passed, of those that failed and of those that were not judged, each once, and how
    often something else failed."""

    passing: tuple[str, ...]
    failing: tuple[str, ...]
    not_judged: tuple[str, ...]
    problems: int

    @classmethod
    def of(cls, executions: Iterable[Execution]) -> _Tests:
        passing: dict[str, None] = {}
        failing: dict[str, None] = {}
        not_judged: dict[str, None] = {}
        problems = 0
        for report in filter(None, map(report_of, executions)):
            failed = report.failing[len(report.problems) :]
            passing.update(dict.fromkeys(test.id for test in report.passing))
            failing.update(dict.fromkeys(test.id for test in failed))
            not_judged.update(dict.fromkeys(test.id for test in report.not_judged))
            problems += len(report.problems)
        return cls(passing=tuple(passing), failing=tuple(failing), not_judged=tuple(not_judged), problems=problems)


def _compared(before: _Tests, now: _Tests) -> Compared:
    holds = {*map(same_id, now.passing)}.difference(map(same_id, now.failing))
    failed = {*before.failing}
    lost = [test for test in before.passing if test not in failed and same_id(test) not in holds]
    open_now = {*map(same_id, now.not_judged)}.difference(map(same_id, now.failing))
    return Compared(
        mended=tuple(test for test in before.failing if same_id(test) in holds),
        broken=tuple(test for test in lost if same_id(test) not in open_now),
        unknown=tuple(test for test in lost if same_id(test) in open_now),
        passing=len(now.passing),
        failing=len(now.failing) + now.problems,
    )


def _distance(attempt: Attempt, before: _Tests) -> tuple[int, int, int, int, int]:
    now = _Tests.of(attempt.executions)
    found = _compared(before, now)
    mended = len(found.mended)
    if not (before.passing or before.failing):
        mended = found.passing  # those of the attempt itself are all there is
    elif now.passing:
        mended += max(0, before.problems - now.problems)
    against = sum(not signal.ok for signal in attempt.signals)
    return (len(found.broken) + len(found.unknown), -mended, against, found.failing, attempt.number)
