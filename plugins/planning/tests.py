"""plan-tests: the task is done when the project's tests pass."""

from __future__ import annotations

from pathlib import Path
from shutil import which

import msgspec

from treadle.core.context import Context
from treadle.core.contributions import Setting
from treadle.core.errors import UsageError
from treadle.core.hooks import hookimpl
from treadle.core.records import Job, Limits, Plan, Task, Workspace
from treadle.plugins.test_runs.command_line import Invocation, parse
from treadle.plugins.test_runs.named_tests import files_of, narrowed, with_no_others
from treadle.plugins.test_runs.test_jobs import TEST_TIMEOUT_S, command_job, pytest_job
from treadle.plugins.test_runs.test_places import MANY_FILES, find_tests
from treadle.sandbox.job import DEFAULT_PATH

_HOW_TO_NAME_TESTS = (
    "Name the file with the tests (`treadle fix FILE`, in the screen `/fix FILE`), or say in a terminal how to test: "
    '`treadle fix --test "COMMAND"`, for the examples in docstrings `treadle fix --test "pytest --doctest-modules"`'
)
_HOW_TO_TEST_A_TASK = (
    'Say in a terminal how to test: `treadle run "TASK" --test "COMMAND"`, for the examples in docstrings '
    '`--test "pytest --doctest-modules"`; or ask for tests in the task'
)
_TEST_TIMEOUT = "Seconds after which a test of pytest counts as failed; 0: as many as all the tests have."


@hookimpl
def treadle_settings() -> tuple[Setting, ...]:
    """How long a test may take."""
    return (
        Setting(
            name="test_timeout_s",
            default=TEST_TIMEOUT_S,
            least=0.0,
            summary=_TEST_TIMEOUT,
        ),
    )


@hookimpl
def treadle_plan(task: Task, workspace: Workspace, context: Context) -> Plan | None:
    """One check: the tests, by the command that the person gave or by what the project's files show."""
    if task.kind != "fix":
        return None
    timeout_s = msgspec.convert(context.settings().get("test_timeout_s", TEST_TIMEOUT_S), float)
    job, how = test_check(task, workspace, timeout_s)
    return Plan(
        steps=(
            f"Run the tests as they are ({how})",
            "Find a change with which every test passes",
            "Run all the tests on it once more",
        ),
        checks=(job,),
    )


def test_check(task: Task, workspace: Workspace, timeout_s: float = TEST_TIMEOUT_S) -> tuple[Job, str]:
    """The job that runs the tests, by the command that the person gave or as the project's files show, and how, in
    words. Raises `UsageError` where there are none."""
    find = _given if task.test_command else _found
    return find(task, workspace, timeout_s)


def _given(task: Task, workspace: Workspace, timeout_s: float) -> tuple[Job, str]:
    invocation = parse(task.test_command, task.python)
    how = " ".join(task.test_command)
    if not invocation.args and not invocation.pytest:
        raise UsageError(
            'the test command names no program: say --test "COMMAND", for example --test "python -m unittest"'
        )
    if not invocation.pytest:
        _check_there(invocation, task)
        return command_job(invocation, task, workspace), how
    places = narrowed(task)
    invocation = invocation._replace(args=(*invocation.args, *files_of(places)))
    return with_no_others(pytest_job(invocation, task, workspace, test_timeout_s=timeout_s), places), how


def _check_there(invocation: Invocation, task: Task) -> None:
    """Raise `UsageError` for a program that no folder of programs in the sandbox has: before a model is asked, rather
    than when the tests are run. One that is named with its folder may be a file that is yet to be written."""
    program = invocation.args[0]
    places = dict(invocation.env).get("PATH", DEFAULT_PATH)
    if "/" not in program and which(program, path=f"{Path(task.python).parent}:{places}") is None:
        raise UsageError(
            f"there is no command {program!r} in the sandbox, whose programs are those in {places} and beside "
            f'{task.python}; say another one with --test "COMMAND"'
        )


def _found(task: Task, workspace: Workspace, timeout_s: float) -> tuple[Job, str]:
    places = narrowed(task)
    found = find_tests(Path(task.project))
    if found is None and not places:
        raise UsageError(
            f"no tests were found in {task.project}: looked for a configuration of pytest (pytest.ini, pyproject.toml, "
            "tox.ini, setup.cfg), for files named test_*.py or *_test.py, and for test functions or TestCase classes "
            f"in other files. {_HOW_TO_TEST_A_TASK if task.kind == 'run' else _HOW_TO_NAME_TESTS}"
        )
    args = files_of(places) or (found.args if found else ())
    files = len(args) if places else (found.files if found else 0)
    limits = Limits(tier="heavy") if files >= MANY_FILES else None
    how = f"pytest {' '.join(places)}" if places else f"pytest: {found.why if found else ''}"
    invocation = Invocation(pytest=True, args=args, cwd_on_path=True)
    job = pytest_job(invocation, task, workspace, limits=limits, test_timeout_s=timeout_s)
    return with_no_others(job, places), how
