"""How long a test may take in another run of the same suite, by what is known of it: an endless one is not waited for
as long again. And which tests of a run it says nothing of, since an endless one before them left them too little time.
"""

from __future__ import annotations

import msgspec

from treadle.core.records import Job
from treadle.core.testrun import TestReport, TestResult, ask, is_test_job, request_of
from treadle.plugins.test_runs.runners.time_limit import TestTimeout, enough_s

RAN_OUT = TestTimeout.__name__
"""The exception of a test that was cut off."""


def within_known_times(job: Job, *known: TestReport | None) -> Job:
    """The same job, in which a test may take several times as long as the slowest one of those runs that ended by
    itself, and no longer than it might already; as it is where none is known to have ended."""
    ended = [t.seconds for report in known if report for t in report.tests if t.exception != RAN_OUT]
    if not ended or not is_test_job(job):
        return job
    request = request_of(job)
    limit = enough_s(max(ended))
    if request.test_timeout_s:
        limit = min(limit, request.test_timeout_s)
    return ask(job, msgspec.structs.replace(request, test_timeout_s=limit))


def not_judged(report: TestReport | None) -> tuple[TestResult, ...]:
    """The tests that were cut off before their own time was up: they are told as skipped, and may pass or fail."""
    tests = report.tests if report is not None else ()
    return tuple(test for test in tests if test.outcome == "skipped" and test.exception == RAN_OUT)
