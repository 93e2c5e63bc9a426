"""How a task is to be checked follows from what the person asked and from the project's files."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest

from treadle.core.errors import UsageError
from treadle.core.interpreter import describe
from treadle.core.records import Attempt, FileChange, GenerateRequest, Job, Plan, Task, Workspace
from treadle.core.testrun import is_test_job, request_of
from treadle.plugins.generation import given
from treadle.plugins.planning import check, tests
from treadle.plugins.test_runs import test_jobs
from treadle.plugins.test_runs.command_line import Invocation, parse
from treadle.plugins.test_runs.named_tests import others_job
from treadle.plugins.test_runs.test_places import MANY_FILES, find_tests, pytest_config


def task(root: Path, kind: Literal["fix", "check", "run"] = "fix", **more: Any) -> Task:
    return Task(id="t1", kind=kind, project=str(root), **{"python": sys.executable, **more})


def workspace(root: Path, kind: Literal["overlay", "copy"] = "overlay") -> Workspace:
    return Workspace(id="w1", kind=kind, project=str(root), root=str(root), upper="")


class Asked:
    """A context that only has settings."""

    def __init__(self, **settings: object) -> None:
        self._settings = settings

    def settings(self) -> dict[str, object]:
        return self._settings


def plan_of(root: Path, **more: Any) -> Plan:
    plan = tests.treadle_plan(task(root, **more), workspace(root), Asked())
    assert plan is not None
    return plan


def job_of(root: Path, **more: Any) -> Job:
    (job,) = plan_of(root, **more).checks
    assert is_test_job(job) and job.id == "tests" and job.python
    return job


def write(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / (name.replace("__", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


# ---------------------------------------------------------------- the command line


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("pytest -q tests", Invocation(True, ("-q", "tests"))),
        ("/some/bin/pytest -x", Invocation(True, ("-x",))),
        ("python -m pytest -q", Invocation(True, ("-q",), cwd_on_path=True)),
        ("/some/bin/python3.9 -m pytest", Invocation(True, (), cwd_on_path=True)),
        ("A=1 B=x=y uv run pytest -q", Invocation(True, ("-q",), env=(("A", "1"), ("B", "x=y")))),
        ("coverage run --source=pkg -m pytest tests", Invocation(True, ("tests",), cwd_on_path=True)),
        ("python -m unittest discover", Invocation(False, ("/the/python", "-m", "unittest", "discover"))),
        ("uv run --with x pytest", Invocation(False, ("uv", "run", "--with", "x", "pytest"))),
        ("make test", Invocation(False, ("make", "test"))),
        ("cd tests && pytest", Invocation(False, ("sh", "-c", "cd tests && pytest"))),
    ],
)
def test_a_test_command_is_read_as_it_was_meant(words: str, expected: Invocation) -> None:
    assert parse(tuple(words.split()), "/the/python") == expected


def test_words_of_a_shell_line_stay_single_words() -> None:
    assert parse(("echo", "a b", "&&", "cat"), "py").args == ("sh", "-c", "echo 'a b' && cat")


def test_a_pipe_does_not_hide_that_the_tests_failed() -> None:
    for line, code in (
        ("false | cat", 1),
        ("true | cat", 0),
        ("echo 'a b' | grep 'a b'", 0),
        ("true | false && true", 1),
        ("sh -c 'exit 141' | cat", 141),
        ("for n in 1 2 ; do echo $n | cat ; done", 0),
        ("if echo a | grep -q b ; then true ; else false ; fi", 1),
    ):
        argv = parse(tuple(shlex.split(line)), "py").args
        assert subprocess.run(argv, stdout=subprocess.DEVNULL, check=False).returncode == code


def test_what_a_reader_leaves_is_heard_out_and_is_no_failure() -> None:
    long = "import sys\nfor n in range(30000): print(n)\nsys.exit(int(sys.argv[1]))"
    for code in ("0", "7"):
        argv = parse((sys.executable, "-c", long, code, "2>&1", "|", "head", "-2", "|", "cat", "&&", "true"), "py").args
        ran = subprocess.run(argv, capture_output=True, check=False)
        assert (ran.returncode, ran.stdout.split(), ran.stderr) == (int(code), [b"0", b"1"], b"")


# ---------------------------------------------------------------- fix


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pytest.ini", "[pytest]\n"),
        ("pyproject.toml", "[tool.pytest.ini_options]\naddopts = '-q'\n"),
        ("tox.ini", "[pytest]\n"),
        ("setup.cfg", "[tool:pytest]\n"),
    ],
)
def test_a_configuration_of_pytest_is_found(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert request_of(job_of(tmp_path)).args == ()
    assert f"configured in {name}" in plan_of(tmp_path).steps[0]


@pytest.mark.parametrize("text", ["[tool.black]\n", "not toml ["])
def test_other_configuration_is_none_of_pytest(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    (tmp_path / "setup.cfg").write_text("[metadata]\n")
    with pytest.raises(UsageError):
        plan_of(tmp_path)


def test_files_named_like_tests_are_left_for_pytest_to_find(tmp_path: Path) -> None:
    write(tmp_path, pkg__deep__test_a="", code="x = 1")
    job = job_of(tmp_path)
    assert request_of(job).args == () and request_of(job).trace_root == str(tmp_path)
    assert job.preload[0] == "pytest" and "--cwd-on-path" in job.args and job.limits is None


def test_tests_in_files_of_other_names_are_named(tmp_path: Path) -> None:
    write(tmp_path, app__tests="import unittest\nclass T(unittest.TestCase):\n    pass\n", code="x = 1")
    assert request_of(job_of(tmp_path)).args == ("app/tests.py",)


def test_the_tests_of_environments_are_not_the_projects(tmp_path: Path) -> None:
    write(tmp_path, own__lib__test_a="", node_modules__test_b="")
    (tmp_path / "own/pyvenv.cfg").write_text("home = /usr/bin\n")
    with pytest.raises(UsageError, match=r"no tests were found.*`/fix FILE`.*in a terminal.*`treadle fix --test"):
        plan_of(tmp_path)


def test_who_has_given_a_task_hears_how_a_task_is_tested(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r'no tests were found.*`treadle run "TASK" --test "COMMAND"`'):
        tests.test_check(task(tmp_path, "run"), workspace(tmp_path))


def test_a_big_suite_gets_the_heavy_limits(tmp_path: Path) -> None:
    write(tmp_path, **{f"test_{n}": "" for n in range(MANY_FILES)})
    limits = job_of(tmp_path).limits
    assert limits is not None and limits.tier == "heavy"


def test_a_test_has_a_time_limit_of_its_own_that_the_person_can_set(tmp_path: Path) -> None:
    write(tmp_path, test_a="")
    assert request_of(job_of(tmp_path)).test_timeout_s == 30
    plan = tests.treadle_plan(task(tmp_path), workspace(tmp_path), Asked(test_timeout_s=2))
    assert plan is not None and request_of(plan.checks[0]).test_timeout_s == 2


def test_named_tests_narrow_the_run_and_named_sources_do_not(tmp_path: Path) -> None:
    write(tmp_path, tests__test_a="", tests__helpers="", checks__test_b="", pkg__code="", pkg__tests__test_c="")

    def args(*files: str) -> tuple[str, ...]:
        return request_of(job_of(tmp_path, files=files)).args

    assert args("tests/test_a.py", "pkg/code.py") == ("tests/test_a.py",)
    assert args("tests") == ("tests",) and args("checks") == ("checks",)
    assert args("pkg") == () and args("pkg/code.py") == () and args(".") == ()
    with pytest.raises(UsageError, match=r"nowhere\.py"):
        args("nowhere.py")


def test_named_tests_are_run_and_the_others_may_not_break(tmp_path: Path) -> None:
    write(tmp_path, tests__test_a="def test_x(n): pass\n\nclass TestY(Base):\n    pass\n", tests__test_b="")
    named = ("tests/test_a.py::test_x[1 2]", "tests/test_a.py::TestY::inherited", "tests/test_b.py")
    job = job_of(tmp_path, files=named)
    request = request_of(job)
    assert request.args == ("tests/test_a.py", "tests/test_b.py") and request.within == named
    others = others_job(job, task(tmp_path), "others")
    assert others is not None and request_of(others).args == () and request_of(others).without == named
    by_command = job_of(tmp_path, files=named[:1], test_command=("pytest", "-k", "x"))
    others = others_job(by_command, task(tmp_path), "others")
    assert others is not None and request_of(others).args == ("-k", "x")
    assert others_job(job_of(tmp_path), task(tmp_path), "others") is None
    by_folder = job_of(tmp_path, files=named[2:], test_command=("pytest", "tests"))
    assert request_of(by_folder).within == named[2:], "what the command names besides need not pass"
    plain = job_of(tmp_path, files=named[2:], test_command=("python", "check.py", *named[2:]))
    assert others_job(plain, task(tmp_path, files=named[2:]), "others") is None


@pytest.mark.parametrize(
    ("named", "near"),
    [
        ("test_a.py::test_totl", "the nearest are test_a.py::test_total"),
        ("test_a.py::TestB::test_tow[1]", "the nearest are test_a.py::TestB::test_two"),
        ("test_a.py::TestC", "test_a.py::test_total"),
        ("empty.py::test_x", "it has no tests"),
    ],
)
def test_a_test_that_its_file_has_not_is_refused_with_the_nearest(tmp_path: Path, named: str, near: str) -> None:
    text = "def test_total(): pass\n\nclass TestB:\n    def test_two(self): pass\n"
    write(tmp_path, test_a=text, empty="", made="globals()['test_' + 'x'] = print\n")
    with pytest.raises(UsageError, match=f"there is no test .*{near}"):
        plan_of(tmp_path, files=(named,))
    assert job_of(tmp_path, files=("made.py::test_x",)), "what is made while it runs can't be known"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("class TestA:\n    @parameterized.expand([('one', 1)])\n    def test_a(self): pass\n", "TestA::test_a_0_one"),
        ("@ddt\nclass TestA:\n    @data(1)\n    def test_a(self, v): pass\n", "TestA::test_a_1_1"),
        ("class M(RuleBasedStateMachine): pass\nTestM = M.TestCase\n", "TestM::runTest"),
        ("from pytest_bdd import scenarios\nscenarios('a.feature')\n", "test_adding"),
        ("class TestA:\n    class TestB(Base):\n        pass\n", "TestA::TestB::test_inherited"),
        ("from base import TestA\n", "TestA::test_inherited"),
        ("def f():\n    '>>> f()'\n", "test_made"),
        ("def test_x(): pass\n", "ruff"),
    ],
)
def test_a_name_that_pytest_may_print_is_not_refused(tmp_path: Path, text: str, named: str) -> None:
    write(tmp_path, test_made=text)
    assert request_of(job_of(tmp_path, files=(f"test_made.py::{named}",))).within


def test_the_persons_own_pytest_command_is_kept(tmp_path: Path) -> None:
    write(tmp_path, tests__test_a="")
    job = job_of(tmp_path, test_command=("A=1", "pytest", "-k", "x"), files=("tests",))
    assert request_of(job).args == ("-k", "x", "tests") and job.env == (("A", "1"),)
    assert "--cwd-on-path" not in job.args


def test_another_command_needs_no_pytest(tmp_path: Path) -> None:
    job = job_of(tmp_path, python="/nowhere/python", test_command=("python", "run_tests.py"))
    assert request_of(job).args == ("/nowhere/python", "run_tests.py")


def test_a_command_that_the_sandbox_does_not_have_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no command 'nosuchprogram' in the sandbox.* --test"):
        plan_of(tmp_path, test_command=("nosuchprogram", "-x"))
    own = tmp_path / "nosuchprogram"
    own.write_text("#!/bin/sh\n")
    own.chmod(0o755)
    for command in (("sh", "-c", "true"), ("./yet/to/be/written",), (f"PATH={tmp_path}", "nosuchprogram")):
        assert job_of(tmp_path, test_command=command)


def test_an_empty_command_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="names no program"):
        plan_of(tmp_path, test_command=("A=1",))


def test_an_interpreter_without_pytest_is_refused_with_what_to_do(tmp_path: Path) -> None:
    write(tmp_path, test_a="")
    venv.create(tmp_path / "env", with_pip=False, symlinks=True)
    with pytest.raises(UsageError, match=r"-m pip install pytest.*--python.*--test"):
        plan_of(tmp_path, python=str(tmp_path / "env/bin/python"))


def test_a_pytest_that_is_too_old_is_refused(tmp_path: Path) -> None:
    write(tmp_path, test_a="")
    venv.create(tmp_path / "env", with_pip=False, symlinks=True)
    (site,) = (tmp_path / "env/lib").glob("python*/site-packages")
    (site / "pytest").mkdir()
    (site / "pytest/__init__.py").touch()
    (site / "pytest-5.4.3.dist-info").mkdir()
    with pytest.raises(UsageError, match=r"pytest 5\.4\.3 .* is older than 6\.0"):
        plan_of(tmp_path, python=str(tmp_path / "env/bin/python"))


def test_the_tests_planner_leaves_other_tasks_alone(tmp_path: Path) -> None:
    assert tests.treadle_plan(task(tmp_path, "check"), workspace(tmp_path), Asked()) is None
    assert check.treadle_plan(task(tmp_path, "fix"), workspace(tmp_path)) is None


def test_a_file_of_blank_lines_is_looked_through(tmp_path: Path) -> None:
    write(tmp_path, lib="\n" * 200_000 + "  async def test_x(): pass\n", other="\n" * 200_000)
    found = find_tests(tmp_path)
    assert found is not None and found.args == ("lib.py",)


# ---------------------------------------------------------------- check


def checks_of(root: Path, **files: str) -> dict[str, Job]:
    changes = tuple(
        FileChange(path=name.replace("__", "/") + ".py", content=text.encode()) for name, text in files.items()
    )
    plan = check.treadle_plan(task(root, "check", given=changes), workspace(root))
    assert plan is not None and len(plan.steps) == max(1, len(plan.checks))
    return {job.id: job for job in plan.checks}


def test_code_that_can_not_be_run_makes_a_plan_without_jobs(tmp_path: Path) -> None:
    assert checks_of(tmp_path, a="x = 1", b="def (") == {}


@pytest.mark.parametrize("text", ["x" + ".a" * 20_000, "-" * 50_000 + "1"])
def test_code_that_is_nested_too_deeply_can_not_be_run_either(tmp_path: Path, text: str) -> None:
    assert checks_of(tmp_path, a=text, b="print(1)").keys() == {"run:b.py"}


def test_a_test_file_is_named_to_pytest_as_it_lies_on_the_disk(tmp_path: Path) -> None:
    file = FileChange(path="-/test_100%25.py", content=b"def test_1(): pass")
    plan = Plan(steps=(), checks=(), tests=(file,))
    job = test_jobs.written_tests_job(plan, task(tmp_path, "run"), workspace(tmp_path))
    assert job is not None and request_of(job).args == ("./-/test_100%.py",)


def test_what_no_program_can_be_told_of_is_named_as_not_run(tmp_path: Path) -> None:
    changes = tuple(FileChange(path=path, content=b"def test_1(): pass") for path in ("test_%FF.py", "test_a.py"))
    plan = check.treadle_plan(task(tmp_path, "check", given=changes), workspace(tmp_path))
    assert plan is not None and request_of(plan.checks[0]).args == ("./test_a.py",)
    assert "test_%FF.py are not run" in plan.steps[0]


@pytest.mark.parametrize("text", ["print(1)", "if __name__ == '__main__':\n    f()", "for x in y: pass"])
def test_a_script_is_run(tmp_path: Path, text: str) -> None:
    assert checks_of(tmp_path, tool=text)["run:tool.py"].argv == (sys.executable, "tool.py")


@pytest.mark.parametrize("text", ["import os\nX = f(1)\ndef g(): h()", '"""docs"""', "class A:\n    f()"])
def test_a_module_without_effects_is_not_run(tmp_path: Path, text: str) -> None:
    assert checks_of(tmp_path, tool=text) == {}


def test_a_module_of_a_package_is_run_as_one(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg/__init__.py").touch()
    jobs = checks_of(tmp_path, pkg__tool="from . import x\nprint(x)")
    assert jobs["run:pkg/tool.py"].argv == (sys.executable, "-m", "pkg.tool")


def test_given_tests_and_doctests_are_run_by_pytest(tmp_path: Path) -> None:
    jobs = checks_of(tmp_path, test_a="def test_1(): pass", lib='def f():\n    """\n    >>> f()\n    """\n')
    assert request_of(jobs["tests"]).args == ("--doctest-modules", "./test_a.py", "./lib.py")


def test_without_pytest_the_plan_says_that_tests_are_not_run(tmp_path: Path) -> None:
    change = FileChange(path="test_a.py", content=b"def test_1(): pass")
    plan = check.treadle_plan(task(tmp_path, "check", given=(change,), python="/nowhere/python"), workspace(tmp_path))
    assert plan is not None and plan.checks == () and "has no pytest" in plan.steps[-1]


def change_plan(root: Path, **more: Any) -> Plan:
    """The plan for a change that brought a script and a file of tests, and took another away."""
    changes = (
        FileChange(path="test_gone.py", content=None),
        FileChange(path="tool.py", content=b"print(1)"),
        FileChange(path="test_new.py", content=b"def test_1(): pass"),
    )
    before = tuple(FileChange(path=change.path, content=None) for change in changes)
    names = tuple(change.path for change in changes)
    asked = task(root, "check", given=changes, before=before, files=names, **more)
    plan = check.treadle_plan(asked, workspace(root, "copy"))
    assert plan is not None and plan.baseline and plan.goal == "change"
    return plan


def test_a_change_is_held_against_the_projects_tests_alone_before_and_after(tmp_path: Path) -> None:
    write(tmp_path, test_new="", tool="print(1)")
    (job,) = change_plan(tmp_path).checks
    assert (job.id, request_of(job).args) == ("tests", ())
    (own,) = change_plan(tmp_path, test_command=("pytest", "-q", "tests/unit")).checks
    assert request_of(own).args == ("-q", "tests/unit")


@pytest.mark.parametrize(
    ("python", "says"), [(sys.executable, "No tests were found"), ("/nowhere/python", "has no pytest")]
)
def test_a_change_without_tests_is_left_to_the_validators(tmp_path: Path, python: str, says: str) -> None:
    if python != sys.executable:
        write(tmp_path, test_new="")
    plan = change_plan(tmp_path, python=python)
    assert plan.checks == () and says in plan.steps[0]


def test_given_code_is_the_candidate_once(tmp_path: Path) -> None:
    change = FileChange(path="a.py", content=b"x = 1")
    asked = GenerateRequest(
        task=task(tmp_path, "check", given=(change,)),
        plan=Plan(steps=(), checks=()),
        workspace=workspace(tmp_path),
        baseline=(),
    )
    candidate = given.treadle_generate(asked)
    assert candidate is not None and candidate.files == (change,)
    again = msgspec.structs.replace(asked, attempts=(Attempt(number=1, candidate=candidate),))
    assert given.treadle_generate(again) is None
    assert given.treadle_generate(msgspec.structs.replace(asked, task=task(tmp_path, "fix"))) is None


def test_what_every_run_of_pytest_imports_is_imported_ahead() -> None:
    ahead = test_jobs.plugin_modules(describe(sys.executable, project=str(Path.cwd())).site_paths)
    assert {"_hypothesis_pytestplugin", "hypothesis", "xdist.plugin"} <= set(ahead)


@pytest.mark.parametrize(
    ("name", "text"), [("pyproject.toml", "[tool.pytest.ini_options]\n"), ("setup.cfg", "[tool:pytest]\n")]
)
def test_settings_of_pytest_are_of_the_project(tmp_path: Path, name: str, text: str) -> None:
    """A link out of it may lead to what never ends, and a pipe would be waited for."""
    project, outside = tmp_path / "project", tmp_path / "outside"
    project.mkdir()
    (project / "inside").write_text(text)
    (project / name).symlink_to("inside")
    assert pytest_config(project) == name
    outside.write_text(text)
    (project / name).unlink()
    (project / name).symlink_to(outside)
    assert pytest_config(project) is None
    (project / name).unlink()
    os.mkfifo(project / name)
    assert pytest_config(project) is None
