"""The pytest runner reports what happened, whatever the tests do."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treadle import TestReport
from treadle.core.testrun import NO_SUCH_TEST
from treadle.plugins.test_runs.runners.time_limit import TestClock

SUITE = """
import unittest
import pytest

def test_passes(): assert True
def test_fails(): assert [1] == [2]
@pytest.mark.skip(reason="not today")
def test_skipped(): raise AssertionError
@pytest.mark.xfail(reason="known")
def test_xfailed(): assert False
@pytest.mark.xfail
def test_xpassed(): pass
@pytest.mark.xfail(strict=True)
def test_xpassed_strictly(): pass
@pytest.fixture
def no_setup(): raise RuntimeError("no setup")
@pytest.fixture
def no_teardown():
    yield
    raise RuntimeError("no teardown")
def test_setup_fails(no_setup): pass
def test_teardown_fails(no_teardown): pass
def test_both_fail(no_teardown): assert False
def test_unknown_fixture(nowhere): pass
@pytest.mark.parametrize("n", [1, 2])
def test_number(n): assert n == 1
class TestCase(unittest.TestCase):
    def test_case_passes(self): self.assertTrue(True)
    def test_case_fails(self): self.assertEqual(1, 2)
    def test_case_subtest_fails(self):
        for n in range(3):
            with self.subTest(n=n):
                self.assertNotEqual(n, 1)
    @unittest.expectedFailure
    def test_case_expected(self): self.fail()
"""


def test_each_test_is_reported_once_with_its_outcome(project: Any) -> None:
    project.write(test_suite=SUITE)
    ran = project.run(nonce="n-1")
    assert ran.report.complete and ran.report.nonce == "n-1" and ran.report.runner.startswith("pytest ")
    assert ran.outcomes == {
        "test_passes": "passed",
        "test_fails": "failed",
        "test_skipped": "skipped",
        "test_xfailed": "xfailed",
        "test_xpassed": "xpassed",
        "test_xpassed_strictly": "failed",
        "test_setup_fails": "error",
        "test_teardown_fails": "error",
        "test_both_fail": "failed",
        "test_unknown_fixture": "error",
        "test_number[1]": "passed",
        "test_number[2]": "failed",
        "test_case_passes": "passed",
        "test_case_fails": "failed",
        "test_case_subtest_fails": "failed",
        "test_case_expected": "xfailed",
    }
    assert len(ran.report.tests) == 16 and not ran.report.problems and ran.code == 1
    assert ran.test("test_fails").exception == "AssertionError"
    assert ran.test("test_fails").message.startswith("assert [1] == [2]")
    assert "nowhere" in ran.test("test_unknown_fixture").message
    assert ran.test("test_skipped").message == "Skipped: not today"


def test_a_failure_says_where_in_the_project_it_happened(project: Any) -> None:
    project.write(code_="def f(x):\n    return g(x)\n\ndef g(x):\n    raise KeyError(x)\n")
    project.write(
        test_code="import json\nfrom code_ import f\n\ndef test_f():\n    f(1)\n\ndef test_j():\n    json.loads('')\n"
    )
    ran = project.run()
    assert ran.test("test_f").frames == (("test_code.py", 5), ("code_.py", 2), ("code_.py", 5))
    assert ran.test("test_f").exception == "KeyError" and ran.test("test_f").message == "1"
    assert ran.test("test_j").frames == (("test_code.py", 8),)


def test_a_good_suite_is_complete_and_exits_with_0(project: Any) -> None:
    project.write(test_a="def test_a(): pass")
    ran = project.run()
    assert ran.report.complete and ran.code == 0 and not ran.report.failing and "1 passed" in ran.output


def test_chosen_tests_run_in_the_order_given_and_missing_ones_are_problems(project: Any) -> None:
    project.write(tests__test_a="def test_1(): pass\ndef test_2(): pass", tests__test_b="def test_3(): pass")
    ids = ("tests/test_b.py::test_3", "tests/test_a.py::test_2", "tests/test_c.py::test_9", "tests/test_a.py::test_8")
    ran = project.run(select=ids)
    assert [t.id for t in ran.report.tests] == ["tests/test_b.py::test_3", "tests/test_a.py::test_2"]
    assert [p.id for p in ran.report.problems] == ["tests/test_c.py::test_9", "tests/test_a.py::test_8"]
    assert ran.report.complete and ran.code != 0


def test_tests_are_named_as_pytest_names_them(project: Any) -> None:
    project.write(
        tests__test_a="import pytest\n\n@pytest.mark.parametrize('n', [1, 2])\ndef test_n(n): pass\n\n"
        "def test_n2(): pass\n",
        tests__test_b="class TestB:\n    def test_1(self): pass\n    def test_2(self): pass\n",
    )
    n, b = "tests/test_a.py::test_n", "tests/test_b.py::TestB"
    ran = project.run(within=(n, f"{b}::test_2"))
    assert [*ran.outcomes] == ["test_n[1]", "test_n[2]", "test_2"] and ran.report.complete and ran.code == 0
    assert [*project.run(without=(f"{n}[1]", "tests/test_b.py")).outcomes] == ["test_n[2]", "test_n2"]
    assert project.run(without=("tests",)).code == 0, "that none is left is no fault"
    ran = project.run(within=(f"{n}[3]", b))
    assert [*ran.outcomes] == ["test_1", "test_2"] and ran.code != 0
    (problem,) = ran.report.problems
    assert problem.exception == NO_SUCH_TEST
    assert (
        problem.id == f"{n}[3]" and "no such test; the nearest are" in problem.message and f"{n}[1]" in problem.message
    )


def test_chosen_ones_of_named_tests_are_no_proof_that_the_others_are_missing(project: Any) -> None:
    project.write(test_a="def test_x(): pass\ndef test_w(): pass", test_b="def test_y(): pass")
    ran = project.run(within=("test_a.py::test_x", "test_b.py::test_y"), select=("test_a.py::test_x",))
    assert ran.outcomes == {"test_x": "passed"} and not ran.report.problems and ran.code == 0


def test_only_missing_tests_is_no_pass(project: Any) -> None:
    project.write(test_a="def test_1(): pass")
    ran = project.run(select=("test_z.py::test_1",))
    assert ran.report.failing and not ran.report.passing and ran.code != 0


def test_fail_fast_stops_at_the_first_failure(project: Any) -> None:
    project.write(test_a="def test_1(): pass\ndef test_2(): assert 0\ndef test_3(): pass")
    ran = project.run(fail_fast=True)
    assert ran.outcomes == {"test_1": "passed", "test_2": "failed"} and ran.report.complete


def test_a_maxfail_of_the_project_does_not_shorten_the_run(project: Any) -> None:
    project.write(test_a="def test_1(): assert 0\ndef test_2(): assert 0\ndef test_3(): pass")
    (project.root / "pytest.ini").write_text("[pytest]\naddopts = -x --lf --stepwise -q --durations=3\n")
    ran = project.run()
    assert ran.outcomes == {"test_1": "failed", "test_2": "failed", "test_3": "passed"} and ran.report.complete


@pytest.mark.parametrize(
    "body",
    [
        "time.sleep(60)",
        "while time.time(): pass",
        "while True:\n        try: time.sleep(0.01)\n        except Exception: pass",
        "try: time.sleep(60)\n    except BaseException: time.sleep(60)",
    ],
)
def test_a_test_that_takes_too_long_fails_and_the_others_run(project: Any, body: str) -> None:
    project.write(test_a=f"import time\ndef test_slow():\n    {body}\ndef test_other(): pass")
    ran = project.run(test_timeout_s=1.5)
    assert ran.outcomes == {"test_slow": "failed", "test_other": "passed"} and ran.report.complete
    assert ran.test("test_slow").exception == "TestTimeout" and "1.5 seconds" in ran.test("test_slow").message


def test_an_alarm_that_the_tests_set_is_left_to_them(project: Any) -> None:
    project.write(
        test_a="""
            import signal, time, pytest

            class Rang(Exception): pass

            def ring(number, frame): raise Rang

            @pytest.fixture
            def alarm():
                before = signal.signal(signal.SIGALRM, ring)
                signal.setitimer(signal.ITIMER_REAL, 0.2)
                yield
                signal.signal(signal.SIGALRM, before)

            def test_rings(alarm):
                with pytest.raises(Rang): time.sleep(5)

            def test_nothing_is_left():
                assert signal.getsignal(signal.SIGALRM) is not ring
                assert signal.getitimer(signal.ITIMER_REAL)[0] > 2

            def test_slow(): time.sleep(60)
        """.replace("\n            ", "\n")
    )
    ran = project.run(test_timeout_s=3.0)
    assert ran.outcomes == {"test_rings": "passed", "test_nothing_is_left": "passed", "test_slow": "failed"}


def test_a_test_stuck_in_c_code_ends_the_run_and_is_named(project: Any) -> None:
    project.write(test_a="def test_1(): pass\ndef test_stuck(): sum(range(10**13))\ndef test_3(): pass")
    ran = project.run(test_timeout_s=1.5)
    assert not ran.report.complete and ran.outcomes == {"test_1": "passed", "test_stuck": "error"} and ran.code != 0
    assert "did not end" in ran.test("test_stuck").message


@pytest.mark.parametrize("ending", ["os._exit(0)", "os.kill(os.getpid(), 9)", "os.abort()", "pytest.exit('enough', 0)"])
def test_a_run_that_ends_itself_is_incomplete_with_the_tests_so_far(project: Any, ending: str) -> None:
    project.write(test_a=f"import os, pytest\ndef test_1(): pass\ndef test_ends(): {ending}\ndef test_3(): pass")
    ran = project.run(nonce="secret")
    assert not ran.report.complete
    assert ran.outcomes["test_1"] == "passed" and "test_3" not in ran.outcomes
    assert ran.report.failing


@pytest.mark.parametrize("ending", ["os._exit(0)", "raise SystemExit(0)", "raise KeyboardInterrupt"])
@pytest.mark.parametrize("file", ["conftest", "test_a"])
def test_an_exit_at_import_is_never_a_pass(project: Any, file: str, ending: str) -> None:
    project.write(test_a="def test_1(): pass", test_b="def test_2(): pass")
    project.write(**{file: f"import os\n{ending}\n"})
    ran = project.run(nonce="secret")
    assert not ran.report.complete
    if ending != "os._exit(0)":
        assert ran.code != 0


def test_sys_exit_in_a_test_is_that_tests_failure(project: Any) -> None:
    project.write(test_a="import sys\ndef test_1(): sys.exit(0)\ndef test_2(): pass")
    ran = project.run()
    assert ran.report.complete and ran.outcomes == {"test_1": "failed", "test_2": "passed"}


def test_a_copied_unfinished_report_carries_no_nonce(project: Any) -> None:
    forge = (
        "import os, json\ndef test_1():\n"
        "    path = os.environ['TREADLE_JOB'] + '/report.json'\n"
        "    report = json.load(open(path)); report['complete'] = True; report['tests'] = []\n"
        "    open(path, 'w').write(json.dumps(report)); os._exit(0)\n"
    )
    project.write(test_a=forge)
    ran = project.run(nonce="secret")
    assert ran.report.complete and ran.report.nonce != "secret"


def test_a_report_changed_to_a_pass_is_seen(project: Any) -> None:
    project.write(
        conftest="import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport():\n"
        "    outcome = yield\n    outcome.get_result().outcome = 'passed'\n",
        test_a="def test_1(): assert False",
    )
    ran = project.run()
    assert ran.outcomes == {"test_1": "error"} and "changed to a pass" in ran.test("test_1").message


def test_a_test_that_is_never_called_is_no_pass(project: Any) -> None:
    project.write(
        conftest="import pytest, _pytest.runner\ndef pytest_runtest_protocol(item, nextitem): return True\n",
        test_a="def test_1(): assert False",
    )
    assert project.run().outcomes == {"test_1": "error"}


def test_a_forked_copy_of_a_test_writes_no_report(project: Any) -> None:
    project.write(
        test_a="import os\ndef test_1():\n    pid = os.fork()\n    if pid: os.waitpid(pid, 0)\ndef test_2(): assert 1\n"
    )
    ran = project.run(nonce="n")
    assert ran.outcomes == {"test_1": "passed", "test_2": "passed"} and ran.report.nonce == "n"


@pytest.mark.parametrize(
    ("files", "place", "exception"),
    [
        ({"test_a": "def test_1(:\n"}, ("test_a.py", 1), "SyntaxError"),
        ({"test_a": "import mod", "mod": "\nx = (\n"}, ("mod.py", 2), "SyntaxError"),
        ({"test_a": "import mod", "mod": "\nimport nowhere\n"}, ("mod.py", 2), "ModuleNotFoundError"),
        ({"conftest": "\n\n1 / 0\n", "test_a": ""}, ("conftest.py", 3), "ZeroDivisionError"),
        (
            {"sub__conftest": "\n1 / 0\n", "sub__test_a": "def test_1(): pass"},
            ("sub/conftest.py", 2),
            "ZeroDivisionError",
        ),
    ],
)
def test_an_error_at_collection_is_a_problem_with_the_faulty_line(
    project: Any, files: dict[str, str], place: tuple[str, int], exception: str
) -> None:
    project.write(**files)
    ran = project.run()
    (problem,) = ran.report.problems
    assert problem.exception == exception and problem.frames[-1] == place and ran.code != 0


def test_tests_beside_a_file_that_can_not_be_collected_still_run(project: Any) -> None:
    project.write(test_a="import nowhere", test_b="def test_2(): pass")
    ran = project.run()
    assert ran.report.complete and ran.outcomes == {"test_2": "passed"} and len(ran.report.problems) == 1


def test_a_project_without_tests_is_a_problem(project: Any) -> None:
    project.write(code="x = 1")
    ran = project.run()
    assert ran.report.problems[0].message == "pytest found no tests" and ran.code != 0


def test_unknown_arguments_are_a_problem_that_names_them(project: Any) -> None:
    project.write(test_a="def test_1(): pass")
    ran = project.run(args=("--no-such-option",))
    assert not ran.report.complete and "--no-such-option" in ran.report.problems[0].message


def test_a_seed_gives_one_order_and_another_seed_another(project: Any) -> None:
    project.write(**{f"test_{f}": "\n".join(f"def test_{n}(): pass" for n in range(8)) for f in "abc"})

    def order(seed: int | None) -> list[str]:
        return [t.id for t in project.run(shuffle=seed).report.tests]

    natural, first = order(None), order(1)
    assert first == order(1) and first != natural and first != order(2) and sorted(first) == natural
    files = [test.split("::")[0] for test in first]
    assert sum(a != b for a, b in itertools.pairwise(files)) == 2, "the tests of a file stay together"


def test_doctests_are_reported_with_their_place(project: Any) -> None:
    project.write(mod='def f():\n    """\n    >>> f()\n    2\n    """\n    return 1\n')
    ran = project.run(args=("--doctest-modules",))
    (test,) = ran.report.tests
    assert test.outcome == "failed" and test.frames == (("mod.py", 3),) and "expected '2', got '1'" in test.message
    assert project.run(args=("--doctest-modules",), select=(test.id,)).report.tests[0].id == test.id


def test_nothing_is_written_into_the_project(project: Any) -> None:
    project.write(test_a="def test_1(cache):\n    cache.set('a/b', 1)\ndef test_2(): assert 0", mod="")
    before = sorted(project.root.rglob("*"))
    project.run(trace=True)
    assert sorted(project.root.rglob("*")) == before


def test_output_and_names_that_are_no_unicode_do_not_break_the_report(project: Any) -> None:
    project.write(test_a="def test_1():\n    raise ValueError('\\udcff')\n")
    assert "udcff" in project.run().test("test_1").message


def test_an_error_whose_text_raises_is_reported(project: Any) -> None:
    project.write(test_a="class E(Exception):\n    def __str__(self): raise ValueError\ndef test_1(): raise E\n")
    assert project.run().test("test_1").exception == "E"


# ---------------------------------------------------------------- traced


SOURCE = """\
LIMIT = 3

def used_by_both():
    return LIMIT

def used_by_one(flag):
    if flag:
        return 1
    return 2

class Box:
    size = 1

    def grow(self):
        for _ in range(3):
            self.size += 1

def forked():
    import os
    child = os.fork()
    if child == 0:
        used_by_one(False)
        os._exit(0)
    return child
"""
TRACED_TESTS = """\
import threading

def test_one():
    from pkg import source
    source.used_by_both()
    source.used_by_one(True)

def test_two():
    from pkg import source
    source.used_by_both()
    source.used_by_one(False)

def test_box():
    from pkg import source
    source.Box().grow()

def test_thread():
    from pkg import source
    thread = threading.Thread(target=source.used_by_one, args=(True,))
    thread.start()
    thread.join()

def test_process():
    import subprocess, sys
    subprocess.run([sys.executable, "-c", "from pkg import source; source.used_by_both()"], check=True)

def test_pool():
    import multiprocessing
    from pkg import source
    with multiprocessing.get_context("fork").Pool(1) as pool:
        pool.map(source.used_by_one, [True])

def test_fork():
    import os
    from pkg import source
    child = source.forked()
    os.waitpid(child, 0)

def test_none():
    pass
"""
EXPECTED_LINES = {
    "test_one": {"pkg/source.py": (4, 7, 8)},
    "test_two": {"pkg/source.py": (4, 7, 9)},
    "test_box": {"pkg/source.py": (15, 16)},
    "test_thread": {"pkg/source.py": (7, 8)},
    "test_process": {"pkg/source.py": (4,)},
    "test_pool": {"pkg/source.py": (7, 8)},
    "test_fork": {"pkg/source.py": (7, 9, 19, 20, 21, 22, 23, 24)},
    "test_none": {},
}


def check_lines(ran: Any) -> None:
    assert {t.id.rpartition("::")[2]: t.lines for t in ran.report.tests} == EXPECTED_LINES, ran.output
    assert ran.report.imported == {"pkg/source.py": (1, 3, 6, 11, 12, 14, 18)}
    assert outside(ran.report) == ()


def outside(report: TestReport) -> tuple[str, ...]:
    """The sources outside of the project, but for Treadle's own fixtures: pytest loads them where Treadle is installed,
    and here that may be from a checkout."""
    return tuple(file for file in report.outside if not file.endswith(("treadle/__init__.py", "treadle/testing.py")))


def test_each_test_has_the_lines_it_executed_and_imports_belong_to_none(project: Any) -> None:
    project.write(pkg__source=SOURCE, tests__test_source=TRACED_TESTS)
    check_lines(project.run(trace=True))


@pytest.mark.parametrize("version", ["3.12", "3.13"])
def test_the_lines_are_the_same_under_other_pythons(
    project: Any, version: str, find_python: Callable[[str], str], shared_pytest: str
) -> None:
    project.write(pkg__source=SOURCE, tests__test_source=TRACED_TESTS)
    check_lines(project.run(trace=True, python=find_python(version), pythonpath=shared_pytest))


def test_parallel_runs_in_addopts_do_not_hide_the_lines(project: Any) -> None:
    pytest.importorskip("xdist")
    project.write(pkg__source=SOURCE, tests__test_source=TRACED_TESTS)
    (project.root / "pytest.ini").write_text("[pytest]\naddopts = -p xdist -n 2 -ra --tb=long\n")
    check_lines(project.run(trace=True))


def test_coverage_in_addopts_does_not_hide_the_lines(project: Any) -> None:
    pytest.importorskip("pytest_cov")
    project.write(pkg__source=SOURCE, tests__test_source=TRACED_TESTS)
    (project.root / "pytest.ini").write_text("[pytest]\naddopts = -p pytest_cov --cov=pkg --cov-fail-under=100\n")
    check_lines(project.run(trace=True))


def test_a_test_that_sets_its_own_trace_function_does_not_blind_the_next(project: Any) -> None:
    project.write(
        pkg__source=SOURCE,
        test_a="import sys\nfrom pkg import source\n"
        "def test_1(): sys.settrace(None)\ndef test_2(): source.used_by_both()\n",
    )
    assert project.run(trace=True).test("test_2").lines == {"pkg/source.py": (4,)}


def test_code_that_runs_as_main_belongs_to_its_test(project: Any) -> None:
    project.write(
        script="x = 1\nif x:\n    y = 2\n",
        test_a="import runpy\ndef test_1(): runpy.run_path('script.py', run_name='__main__')\ndef test_2(): test_1()\n",
    )
    ran = project.run(trace=True)
    assert ran.test("test_1").lines == ran.test("test_2").lines == {"script.py": (1, 2, 3)}


def test_sources_outside_of_the_project_are_named_but_not_what_the_tests_wrote(project: Any, tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/elsewhere.py").write_text("x = 1\n")
    project.write(
        test_a=f"import sys\nsys.path.insert(0, {str(tmp_path / 'lib')!r})\n"
        "def test_1(tmp_path):\n    import elsewhere\n    (tmp_path / 'made.py').write_text('x = 1')\n"
        "    sys.path.insert(0, str(tmp_path))\n    import made\n"
    )
    assert outside(project.run(trace=True).report) == (str(tmp_path / "lib/elsewhere.py"),)


def test_endless_tests_together_leave_time_for_the_others() -> None:
    clock = TestClock(30.0)
    limits = []
    for seconds, clock.ran_out in ((0.1, False), (30.0, True), (7.5, True), (1.5, False), (2.0, True)):
        clock.learn(seconds)
        limits.append(clock.seconds)
    assert limits == [30.0, 7.5, 2.0, 2.0, 2.0]
    slow = TestClock(30.0)
    slow.learn(4.0)
    slow.ran_out = True
    slow.learn(30.0)
    assert slow.seconds == 16.0, "as long as the tests here take, several times over"
    tight = TestClock(0.5)
    tight.ran_out = True
    tight.learn(0.5)
    assert tight.seconds == 0.5


def test_how_a_test_ends_that_an_endless_one_left_less_time_is_not_known(project: Any) -> None:
    project.write(
        test_a="""
            import time, pytest

            class TestTimeout(Exception):
                __test__ = False

            @pytest.fixture(scope="module")
            def slow(): time.sleep(2.2)

            def test_of_its_own(): raise TestTimeout
            def test_endless(): time.sleep(60)
            def test_slow(slow): pass
            def test_behind(slow): pass
            def test_fails(): assert 0
        """.replace("\n            ", "\n")
    )
    ran = project.run(test_timeout_s=2.5)
    assert [*ran.outcomes.values()] == ["failed", "failed", "skipped", "skipped", "failed"] and ran.report.complete
    assert "2.5 seconds" in ran.test("test_endless").message, "what is only called like it shortens nothing"
    assert len(ran.report.not_judged) == 2 and "ended after 2" in ran.test("test_behind").message


def test_what_can_never_end_is_told_long_before_its_limit_and_leaves_the_others_all_their_time(project: Any) -> None:
    project.write(
        test_a="""
            import time

            def test_endless():
                left = 3
                while left: left = left * 3 % 17

            def test_slow(): time.sleep(2.5)
        """.replace("\n            ", "\n")
    )
    ran = project.run(test_timeout_s=8.5)
    assert ran.outcomes == {"test_endless": "failed", "test_slow": "passed"}
    assert "never ends" in ran.test("test_endless").message and ran.test("test_endless").exception == "TestTimeout"
    assert ran.test("test_endless").seconds < 8.5


@pytest.mark.parametrize("traced", [False, True])
def test_an_import_that_never_ends_is_told_and_the_other_files_are_run(project: Any, traced: bool) -> None:
    project.write(
        endless="left = 3\nwhile left:\n    left = left * 3 % 17\n",
        test_a="import endless\ndef test_a(): pass\n",
        test_b="import time\nfor _ in range(2000): time.sleep(0.0001)\ndef test_b(): pass\n",
    )
    ran = project.run(test_timeout_s=30.0, trace=traced)
    (problem,) = ran.report.problems
    assert problem.id == "test_a.py" and problem.exception == "TestTimeout" and problem.frames[-1][0] == "endless.py"
    assert "the import never ends: line" in problem.message and "of endless.py" in problem.message
    assert ran.outcomes == {"test_b": "passed"}


def test_a_conftest_that_is_never_imported_is_told(project: Any) -> None:
    project.write(conftest="while True:\n    pass\n", test_a="def test_a(): pass\n")
    ran = project.run(test_timeout_s=30.0)
    (problem,) = ran.report.problems
    assert "the import never ends" in problem.message and problem.frames[-1][0] == "conftest.py"
    assert not ran.report.complete
