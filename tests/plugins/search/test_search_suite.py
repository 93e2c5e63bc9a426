"""What a run says of the tests that judge a candidate, and what it does not say."""

from __future__ import annotations

import msgspec

from treadle.core.records import CollectedFile, Execution, Job
from treadle.core.testrun import REPORT, TestReport, TestRequest, TestResult, ask, request_of
from treadle.plugins.generation.search.suite import checks_of, completed

JOB = ask(Job(id="tests", script="x", collect=(REPORT,)), TestRequest(test_timeout_s=30.0))
ENDLESS = TestResult(id="endless", outcome="failed", exception="TestTimeout")
CUT_EARLY = TestResult(id="slow", outcome="skipped", exception="TestTimeout")


def passed(name: str) -> TestResult:
    return TestResult(id=name, outcome="passed")


def ran(*tests: TestResult, complete: bool = True) -> Execution:
    report = msgspec.json.encode(TestReport(complete=complete, tests=tests))
    return Execution(job="tests", verdict="ok", files=(CollectedFile(name=REPORT, content=report),))


def test_a_test_of_which_nobody_knows_how_it_ends_has_to_pass_with_a_repair_and_with_all_its_time() -> None:
    (check,) = checks_of((JOB,), (ran(ENDLESS, CUT_EARLY),))
    assert check.required == {"endless"}, "a slow one is not asked for in the time of the quick ones"
    assert request_of(check.whole("w", ())).test_timeout_s == 30.0
    assert check.holds(ran(passed("endless"), passed("slow")))
    assert not check.holds(ran(passed("endless"), TestResult(id="slow", outcome="failed")))


def test_a_slow_test_behind_the_end_of_the_first_baseline_is_not_taken_for_an_endless_one() -> None:
    (check,) = checks_of((JOB,), (ran(ENDLESS, complete=False),))
    slow = TestResult(id="slow", outcome="failed", exception="TestTimeout")
    check = completed(check, ran(ENDLESS, slow, passed("quick")))
    assert check.required == {"endless"} and check.unknown == {"slow"}
