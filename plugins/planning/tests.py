"""plan-tests: the task is done when the project's tests pass."""

from __future__ import annotations

from pathlib import Path
from shutil import which

import msgspec

from treadle.core.context import Context
from treadle.core.contributions import Setting
from treadle.core.errors import UsageError
from treadle.core.hooks import hookimpl
from treadle.core.paths import on_disk
from treadle.core.records import Job, Limits, Plan, Task, Workspace
from treadle.plugins.test_runs.command_line import Invocation, parse
from treadle.plugins.test_runs.test_jobs import TEST_TIMEOUT_S, command_job, pytest_job
from treadle.plugins.test_runs.test_places import find_tests, is_test_place, is_utf8
from treadle.sandbox.job import DEFAULT_PATH

MANY_FILES = 50
"""Test files from which on a suite gets the limits of the tier `heavy`."""

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


def narrowed(task: Task) -> tuple[str, ...]:
    """The places with tests among those the person named: they narrow the run. Other places leave it whole, since any
    test may show their fault. Raises `UsageError` for a place that does not exist."""
    places = []
    for named in task.files:
        file, separator, test = named.partition("::")
        path = on_disk(task.project, file)
        if not path.exists():
            raise UsageError(f"there is no {path}: name a file or folder of the project")
        if path != Path(task.project) and (separator or is_test_place(path)):
            place = path.relative_to(task.project).as_posix()
            if not is_utf8(place):
                raise UsageError(f"{file}: its name is not UTF-8, so pytest can't be told of it; name its folder")
            places.append(("./" + place if place.startswith("-") else place) + separator + test)
    return tuple(places)


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
    invocation = invocation._replace(args=(*invocation.args, *places))
    return pytest_job(invocation, task, workspace, test_timeout_s=timeout_s), how


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
    args = places or (found.args if found else ())
    files = len(places) or (found.files if found else 0)
    limits = Limits(tier="heavy") if files >= MANY_FILES else None
    how = f"pytest {' '.join(places)}" if places else f"pytest: {found.why if found else ''}"
    invocation = Invocation(pytest=True, args=args, cwd_on_path=True)
    return pytest_job(invocation, task, workspace, limits=limits, test_timeout_s=timeout_s), how
