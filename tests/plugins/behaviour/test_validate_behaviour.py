"""The validator that shows what a change does otherwise."""

from __future__ import annotations

import msgspec

from tests.corpus.judging import PLAIN
from tests.plugins.search.search_driver import ProcessContext, Project
from treadle.core.records import Candidate, FileChange, Signal
from treadle.core.testrun import ask, request_of
from treadle.plugins.test_runs.runners.time_limit import GLANCE_S
from treadle.plugins.validation.behaviour import treadle_validate

CLAMP = "def clamp(x, low, high):\n    if x < low:\n        return low\n    return high if x > high else x\n"
TESTS = "from clamp import clamp\n\n\ndef test_clamp():\n    assert [clamp(x, 2, 9) for x in (1, 5, 12)] == [2, 5, 9]\n"


def signals(project: Project, context: ProcessContext, after: str, path: str = "clamp.py") -> tuple[Signal, ...]:
    check = msgspec.structs.replace(project.check(), script=PLAIN, stdin=b"{}", args=())
    request = project.request(context, check=check)
    candidate = Candidate(files=(FileChange(path=path, content=after.encode()),), why="")
    return treadle_validate(
        candidate=candidate,
        workspace=project.workspace,
        execution=request.baseline,
        baseline=request.baseline,
        request=request,
        context=context,
    )


def test_calls_that_come_to_another_end_are_told_and_speak_against_nothing(project):
    project.write(clamp=CLAMP, test_clamp=TESTS)
    context = project.context(longest_suite_s=20.0)
    (signal,) = signals(project, context, CLAMP.replace("x > high else x", "x > high else x + 0 * low or high"))
    assert signal.ok
    assert signal.worse == 0
    assert "otherwise than before" in signal.summary
    assert (
        "clamp(0, 0, 9) gives 0 before, gives 9 now" in signal.details or "gives 0 before, gives" in signal.details[0]
    )


def test_a_change_that_changes_nothing_is_told_to_be_so_and_a_clock_is_no_change(project):
    clock = "import time\n\n\ndef now(n):\n    return time.time_ns() + n\n\n\n" + CLAMP
    project.write(clamp=clock, test_clamp=TESTS.replace("import clamp", "import clamp, now") + "    assert now(1)\n")
    context = project.context(longest_suite_s=20.0)
    after = clock.replace("x < low", "low > x").replace("time.time_ns() + n", "n + time.time_ns()")
    (signal,) = signals(project, context, after)
    assert signal.summary.startswith("the same as before on ")
    assert signal.details == ()


def test_of_the_project_as_it_was_those_tests_run_that_call_what_is_changed(project):
    project.write(clamp=CLAMP, test_clamp=TESTS, test_other="def test_other(): pass\n")
    context = project.context(longest_suite_s=20.0)
    request = project.request(context)
    change = FileChange(path="clamp.py", content=CLAMP.replace("high if", "low if").encode())
    (signal,) = treadle_validate(
        candidate=Candidate(files=(change,), why=""),
        workspace=project.workspace,
        execution=request.baseline,
        baseline=request.baseline,
        request=request,
        context=context,
    )
    assert "otherwise than before" in signal.summary
    asked = {job.id: request_of(job).select for jobs, _ in context.batches[1:] for job in jobs}
    alone = ("test_clamp.py::test_clamp",)
    assert asked == {"behaviour-after": (), "behaviour-before": alone, "behaviour-again": alone}


def test_an_endless_test_of_the_project_as_it_was_is_not_waited_for_as_long_again(project):
    endless = CLAMP + "\n\ndef wait(n):\n    while n > 0:\n        n += 1\n    return n\n"
    tests = TESTS + "\n\ndef test_wait():\n    assert wait(3) == 0\n"
    project.write(clamp=endless, test_clamp=tests.replace("import clamp", "import clamp, wait"))
    context = project.context(longest_suite_s=20.0)
    job = project.check()
    job = ask(job, msgspec.structs.replace(request_of(job), test_timeout_s=2.5))
    request = project.request(context, check=job)
    change = FileChange(path="clamp.py", content=endless.replace("+= 1", "-= 1").encode())
    after = context.execute((msgspec.structs.replace(request.plan.checks[0], id="after", files=(change,)),))
    treadle_validate(
        candidate=Candidate(files=(change,), why=""),
        workspace=project.workspace,
        execution=after,
        baseline=request.baseline,
        request=request,
        context=context,
    )
    asked = {job.id: request_of(job).test_timeout_s for jobs, _ in context.batches for job in jobs}
    assert asked["behaviour-after"] == 2.5
    assert asked["behaviour-before"] == asked["behaviour-again"] == GLANCE_S


def test_nothing_is_run_where_no_code_is_changed_or_the_tests_take_long(project):
    project.write(clamp=CLAMP, test_clamp=TESTS)
    for path, longest in (("notes.txt", 20.0), ("test_clamp.py", 20.0), ("clamp.py", 0.0)):
        context = project.context(longest_suite_s=longest)
        assert signals(project, context, CLAMP + "\n", path) == ()
        assert len(context.batches) == 1
