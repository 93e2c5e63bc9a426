"""How long a test may take in another run of the same suite, by what is known of it: an endless one is not waited for
as long again."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from treadle.core.records import Job
from treadle.core.testrun import RAN_OUT, TestReport, TestResult, ask, is_test_job, request_of
from treadle.plugins.test_runs.runners.time_limit import LEAST_ENOUGH_S, enough_s

_USED_UP = frozenset({RAN_OUT, "MemoryError", "RecursionError"})
"""Exceptions of tests that end when there is no more of something, however much there was."""


def slowest_s(tests: Iterable[TestResult]) -> float:
    """Seconds of the slowest of those tests that came to an end of their own, 0 where none did."""
    return max((test.seconds for test in tests if test.exception not in _USED_UP), default=0.0)


MOST_ENDLESS = 2
"""Of the tests that ran out of time, those that are run once more where only a look is taken: they tell the same."""


def few_endless(tests: Iterable[str], known: Iterable[TestResult]) -> tuple[str, ...]:
    """The tests without most of those that ran out of time when they are known to have run."""
    ran_out = [test.id for test in known if test.exception == RAN_OUT]
    left_out = set(ran_out[MOST_ENDLESS:])
    return tuple(test for test in tests if test not in left_out)


def within_known_times(job: Job, *known: TestReport | None, least_s: float = LEAST_ENOUGH_S) -> Job:
    """The same job, in which a test may take several times as long as the slowest one of those runs that ended by
    itself, `least_s` at least, and no longer than it might already; as it is where none is known to have ended."""
    slowest = slowest_s(test for report in known if report for test in report.tests)
    if not slowest or not is_test_job(job):
        return job
    request = request_of(job)
    limit = enough_s(slowest, least_s)
    if request.test_timeout_s:
        limit = min(limit, request.test_timeout_s)
    return ask(job, msgspec.structs.replace(request, test_timeout_s=limit))
