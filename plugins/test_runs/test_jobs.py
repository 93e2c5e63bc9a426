"""The jobs that run tests in the sandbox: pytest, or any other command."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import msgspec

from treadle.core.errors import InterpreterError, UsageError
from treadle.core.interpreter import describe
from treadle.core.paths import decode
from treadle.core.records import FileChange, Job, Limits, Plan, Task, Workspace
from treadle.core.testrun import REPORT, TestRequest
from treadle.plugins.test_runs.command_line import Invocation
from treadle.plugins.test_runs.runners import runner_script

TESTS_JOB = "tests"
WRITTEN_JOB = "written-tests"
OLDEST_PYTEST = 6
_IMPORTED_LATE = {"_hypothesis_pytestplugin": "hypothesis"}
"""What a plugin imports in each run, used or not: hypothesis, for its summary, takes longer than many a suite."""
_IMPORTED_BY_PYTEST = (
    *(f"_pytest.{name}" for name in ("faulthandler", "helpconfig", "junitxml", "pastebin", "setuponly", "setupplan")),
    *(f"_pytest.{name}" for name in ("skipping", "threadexception", "unittest", "unraisableexception", "warnings")),
    "tomllib",
)
"""What each run of pytest imports, and `import pytest` does not: a fifth of a short run. Those that a version has not
are passed over."""
TEST_TIMEOUT_S = 30.0
"""One test that hangs shall not use up the time of all the others."""


def pytest_job(
    invocation: Invocation,
    task: Task,
    workspace: Workspace,
    *,
    job_id: str = TESTS_JOB,
    limits: Limits | None = None,
    test_timeout_s: float = TEST_TIMEOUT_S,
) -> Job:
    """A job that runs pytest and reports each test, which fails when it takes longer than `test_timeout_s` (0: it may
    take what the job may). Raises `UsageError` when the task's interpreter has no pytest."""
    require_pytest(task)
    path = ("--cwd-on-path",) if invocation.cwd_on_path else ()
    return Job(
        id=job_id,
        script=runner_script("pytest"),
        args=(*path, "--child-tracer", runner_script("child")),
        python=task.python,
        preload=(
            "pytest",
            *_IMPORTED_BY_PYTEST,
            *plugin_modules(describe(task.python, project=task.project).site_paths),
        ),
        workspace=workspace,
        env=invocation.env,
        stdin=_request(invocation, workspace, test_timeout_s),
        collect=(REPORT,),
        limits=limits,
    )


def command_job(invocation: Invocation, task: Task, workspace: Workspace) -> Job:
    """A job that runs a command and reports it as one test, called `command`."""
    return Job(
        id=TESTS_JOB,
        script=runner_script("command"),
        args=("--child-tracer", runner_script("child")),
        python=task.python,
        workspace=workspace,
        env=invocation.env,
        stdin=_request(invocation, workspace),
        collect=(REPORT,),
    )


def written_tests_job(plan: Plan, task: Task, workspace: Workspace, change: tuple[FileChange, ...] = ()) -> Job | None:
    """A job that runs the tests which were written for the plan, and no others, on the project with that change, which
    can't take their place; None where there are none. Raises as `pytest_job` does."""
    if not plan.tests:
        return None
    own = tuple(file.path for file in plan.tests)
    invocation = Invocation(pytest=True, args=tuple(_as_argument(path) for path in own), cwd_on_path=True)
    job = pytest_job(invocation, task, workspace, job_id=WRITTEN_JOB)
    others = tuple(file for file in change if file.path not in own)
    return msgspec.structs.replace(job, files=others + plan.tests)


def _as_argument(path: str) -> str:
    name = decode(path)
    return f"./{name}" if name.startswith("-") else name


def has_pytest(task: Task) -> bool:
    """Whether the task's interpreter has a pytest, by the look of its files."""
    try:
        return describe(task.python, project=task.project).has("pytest")
    except InterpreterError:
        return False


def require_pytest(task: Task) -> None:
    """Raise `UsageError`, with what to do, when the task's interpreter has no pytest that can be used."""
    mend = f"install it there ({task.python} -m pip install pytest), choose another interpreter with --python, or say "
    mend += 'how to test with --test "COMMAND", for example --test "python -m unittest"'
    try:
        interpreter = describe(task.python, project=task.project)
    except InterpreterError as error:
        raise UsageError(str(error)) from error
    if not interpreter.has("pytest"):
        raise UsageError(f"the tests need pytest, which {task.python} does not have: {mend}")
    version = _version_of_pytest(interpreter.site_paths)
    if version and int(version.split(".")[0]) < OLDEST_PYTEST:
        raise UsageError(f"pytest {version} of {task.python} is older than {OLDEST_PYTEST}.0: upgrade it, or {mend}")


def _version_of_pytest(sites: tuple[str, ...]) -> str | None:
    """The version that the first installed pytest's metadata folder names, None when there is none."""
    for site in sites:
        for folder in Path(site).glob("pytest-[0-9]*.*-info"):
            return folder.name.split("-")[1].removesuffix(".dist")
    return None


def plugin_modules(sites: tuple[str, ...]) -> tuple[str, ...]:
    """The modules of the pytest plugins that an environment has installed, which every run of pytest there imports."""
    points = (point for found in metadata.distributions(path=list(sites)) for point in found.entry_points)
    modules = {point.module for point in points if point.group == "pytest11"}
    return tuple(sorted(modules | {_IMPORTED_LATE[module] for module in modules if module in _IMPORTED_LATE}))


def _request(invocation: Invocation, workspace: Workspace, test_timeout_s: float = 0.0) -> bytes:
    return msgspec.json.encode(
        TestRequest(args=invocation.args, trace_root=workspace.root, test_timeout_s=test_timeout_s)
    )
