"""The tools that run something, in the real sandbox, with the draft laid over the project."""

from __future__ import annotations

import pytest

from tests.plugins.agents.workplace import Workplace
from treadle.core.records import Execution, Job
from treadle.plugins.agents.tools.known_runs import KnownRuns

TESTS = """
import sums

def test_add():
    assert sums.add(1, 2) == 3

class TestMore:
    def test_zero(self):
        assert sums.add(0, 0) == 0

    def test_many(self):
        for n in range(3):
            check(n)

def check(n):
    assert sums.add(n, 1) == n + 1, object()
"""


@pytest.fixture
def project(running: Workplace) -> Workplace:
    running.write({"sums.py": "def add(a, b):\n    return a - b\n", "tests/test_sums.py": TESTS})
    running.with_pytest()
    return running


def test_the_tests_are_run_on_the_draft(project: Workplace) -> None:
    report = project.call("run_tests")
    assert report.splitlines()[:5] == [
        "2 failed, 1 passed",
        "",
        "FAILED tests/test_sums.py::test_add",
        "  AssertionError: assert -1 == 3",
        "   +  where -1 = <function add at 0x...>(1, 2)",
    ]
    assert "  at tests/test_sums.py:13  check(n)\n  at tests/test_sums.py:16  assert sums.add" in report
    assert str(project.root) not in report
    project.call("edit", path="sums.py", search="    return a - b", replace="    return a + b")
    assert project.call("run_tests") == "3 passed"
    assert "a - b" in (project.root / "sums.py").read_text()


def test_some_tests_are_run_by_their_ids(project: Workplace) -> None:
    assert project.call("run_tests", tests=["tests/test_sums.py::TestMore::test_zero"]) == "1 passed"
    assert len(project.context.batches) == 1
    assert project.call("run_tests", tests=["tests/test_sums.py::TestMore"]).startswith("1 failed, 1 passed")
    assert project.call("run_tests", tests=["tests"]).startswith("2 failed, 1 passed")
    assert "did you mean 'tests/test_sums.py::test_add'" in project.refused(
        "run_tests", tests=["tests/test_sums.py::test_ad"]
    )


def test_what_keeps_the_tests_from_running_is_told(project: Workplace) -> None:
    project.call("write", path="sums.py", content="def add()\n")
    report = project.call("run_tests")
    assert (
        report.startswith("no tests, 1 problem outside of tests") and "SyntaxError" in report and "sums.py:1" in report
    )
    project.call("write", path="sums.py", content="import os\nos._exit(7)\n")
    report = project.call("run_tests")
    assert "the run was cut off: exit code 7" in report


def test_a_command_that_tests_is_reported_by_its_end_and_its_output(running: Workplace) -> None:
    running.checks = (Job(id="make", argv=("sh", "-c", "cat a.txt; exit 3"), workspace=running.workspace),)
    running.call("write", path="a.txt", content="of the draft\n")
    assert running.call("run_tests") == "exit code 3; it left no report of tests\nstdout:\nof the draft"
    assert "no single tests" in running.refused("run_tests", tests=["a"])


def test_a_run_that_was_not_begun_is_refused_with_the_reason_alone(
    place: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.checks = (Job(id="make", argv=("true",)),)
    held = Execution(job="make", verdict="error", message="not run: somebody has to look at it")
    monkeypatch.setattr(place.context, "execute", lambda jobs: (held,))
    assert place.refused("run_tests") == place.refused("run_python", code="pass") == held.message


def test_without_checks_there_is_nothing_to_run(place: Workplace) -> None:
    assert "no checks" in place.refused("run_tests")


def test_a_script_sees_the_draft_and_leaves_nothing(running: Workplace) -> None:
    running.write({"src/sums.py": "def add(a, b):\n    return a - b\n", "data.txt": "old"})
    running.call("edit", path="src/sums.py", search="return a - b", replace="return a + b")
    code = "import os, src.sums, sums, sys\n"
    code += "print(sums.add(1, 2), open('data.txt').read())\nopen('data.txt', 'w').close()\n"
    code += "print(os.getcwd(), file=sys.stderr)"
    assert running.call("run_python", code=code) == "exit code 0\nstdout:\n3 old\nstderr:\n."
    assert (running.root / "data.txt").read_text() == "old"


def test_a_script_that_fails_is_shown_with_its_traceback(running: Workplace) -> None:
    text = running.call("run_python", code="def f():\n    1 / 0\nf()")
    assert text.startswith("exit code 1\nstderr:\nTraceback") and 'File "script.py", line 2, in f' in text
    assert running.call("run_python", code="pass") == "exit code 0\nit printed nothing"
    assert "left out; print less" in running.call("run_python", code="print('x\\n' * 100000)")


def test_the_same_run_is_told_in_the_same_words(project: Workplace) -> None:
    first = project.call("run_tests")
    assert project.call("run_tests") == first
    code = "import time; time.sleep(0.01); print(object(), 'done in %.2fs' % time.perf_counter())"
    assert project.call("run_python", code=code) == project.call("run_python", code=code)


def test_what_was_run_on_the_same_draft_is_told_and_not_run_again(project: Workplace) -> None:
    project.known = KnownRuns()
    again = "Nothing has changed since these tests were run, so they were not run again; they came to this:\n\n"
    first = project.call("run_tests")
    assert project.call("run_tests") == again + first
    assert project.call("run_tests", tests=["tests/test_sums.py::TestMore::test_zero"]) == f"{again}1 passed"
    assert len(project.context.batches) == 1
    project.call("edit", path="sums.py", search="    return a - b", replace="    return a + b")
    assert project.call("run_tests") == "3 passed"
    project.call("edit", path="sums.py", search="    return a + b", replace="    return a - b")
    assert project.call("run_tests", tests=["tests"]) == again + first
    assert len(project.context.batches) == 2
    project.known.forget()
    assert project.call("run_tests", tests=["tests/test_sums.py"]) == first
