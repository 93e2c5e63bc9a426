"""The tests beside the named ones: what they were before a change is seen with all the time that each may take."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from treadle.core.records import Candidate, CollectedFile, Execution, FileChange, Job
from treadle.core.testrun import RAN_OUT, REPORT, TestReport, TestRequest, TestResult, ask, report_of, request_of
from treadle.plugins.test_runs.known_times import few_endless, within_known_times
from treadle.plugins.validation.other_tests import _judged

JOB = ask(Job(id="others", script="x", collect=(REPORT,)), TestRequest(test_timeout_s=30.0, without=("test_a.py",)))
CHANGE = Candidate(files=(FileChange(path="m.py", content=b"x"),), why="")


class Runs:
    """A context whose runs come out as `slow` says, by whether they have the change and by the limit of a test."""

    def __init__(self, slow: Callable[[bool, float], tuple[TestResult, ...]]) -> None:
        self._slow = slow

    def execute(self, jobs: tuple[Job, ...]) -> tuple[Execution, ...]:
        return tuple(map(self._ran, jobs))

    def _ran(self, job: Job) -> Execution:
        tests = self._slow(bool(job.files), request_of(job).test_timeout_s)
        report = msgspec.json.encode(TestReport(complete=True, tests=tests))
        files = (CollectedFile(name=REPORT, content=report),)
        return Execution(job=job.id, verdict="ok", exit_code=1, wall_s=1.0, files=files)


def test_a_slow_test_that_raises_at_once_with_the_change_is_broken_by_it() -> None:
    def slow(changed: bool, limit: float) -> tuple[TestResult, ...]:
        if changed or limit < 3.0:
            return (TestResult(id="t.py::slow", outcome="failed", seconds=0.01),)
        return (TestResult(id="t.py::slow", outcome="passed", seconds=3.0),)

    signal = _judged(JOB, CHANGE, Runs(slow))  # type: ignore[arg-type]
    assert signal is not None and not signal.ok and signal.worse == 1


def test_where_no_test_is_known_to_have_ended_each_keeps_its_time() -> None:
    (nothing,) = Runs(lambda *_: ()).execute((JOB,))
    assert within_known_times(JOB, report_of(nothing), None) == JOB


def test_of_endless_tests_two_are_looked_at_again() -> None:
    ended = TestResult(id="t::ends", outcome="failed", exception="AssertionError")
    endless = [TestResult(id=f"t::{n}", outcome="failed", exception=RAN_OUT) for n in range(4)]
    tests = ("t::3", "t::ends", "t::1", "t::0", "t::2", "t::new")
    assert few_endless(tests, (*endless, ended)) == ("t::ends", "t::1", "t::0", "t::new")
