"""How long a test may take in another run of the same suite, by what is known of it: an endless one is not waited for
as long again."""

from __future__ import annotations

import msgspec

from treadle.core.records import Job
from treadle.core.testrun import TestReport, ask, is_test_job, request_of

LEAST_S = 2.0
TIMES_THE_SLOWEST = 4.0
"""A run is seldom as long as the one before."""
_RAN_OUT = "TestTimeout"
"""What the runner says of a test that it has cut off."""


def within_known_times(job: Job, *known: TestReport | None) -> Job:
    """The same job, in which a test may take several times as long as the slowest one of those runs that ended by
    itself, and no longer than it might already."""
    if not is_test_job(job):
        return job
    request = request_of(job)
    ended = [t.seconds for report in known if report for t in report.tests if t.exception != _RAN_OUT]
    limit = max(LEAST_S, TIMES_THE_SLOWEST * max(ended, default=0.0))
    if request.test_timeout_s:
        limit = min(limit, request.test_timeout_s)
    return ask(job, msgspec.structs.replace(request, test_timeout_s=limit))
