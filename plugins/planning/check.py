"""plan-check: given code is run when it is a script, and tested when it holds tests.

Whether it compiles is for the validators to say; a plan without jobs leaves the judgement to them and the scanners.
Where the given code is a change of the project, whose files before it are known, it is held against the project's tests
alone: they run without it and with it, and only what it makes worse counts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from treadle.core.errors import SourceError, UnsafePath
from treadle.core.hooks import hookimpl
from treadle.core.paths import decode, on_disk
from treadle.core.records import FileChange, Job, Limits, Plan, Task, Workspace
from treadle.core.tree.reading import read_regular
from treadle.core.tree.sources import decode_source, is_python, parse
from treadle.plugins.planning.tests import test_check
from treadle.plugins.test_runs.command_line import Invocation
from treadle.plugins.test_runs.test_jobs import has_pytest, pytest_job
from treadle.plugins.test_runs.test_places import MANY_FILES, find_tests, is_test_name, is_utf8

QUICK = Limits(tier="quick")
_NOT_RUN_ALONE = frozenset({"setup.py", "conftest.py", "__init__.py"})


@hookimpl
def treadle_plan(task: Task, workspace: Workspace) -> Plan | None:
    """A check for each script among the given Python files and one for all their tests; the project's own tests too
    when one of its files is replaced."""
    if task.kind != "check":
        return None
    if task.before:
        return _plan_of_change(task, workspace)
    python = (change for change in task.given if change.content is not None and is_python(change.path, change.content))
    trees = {change.path: tree for change in python if (tree := _parsed(change)) is not None}
    steps: list[str] = []
    checks: list[Job] = []
    scripts = [path for path, tree in trees.items() if is_script(path, tree)]
    for path in scripts:
        steps.append(f"Run {path}")
        checks.append(_script_job(path, task, workspace))
    tests = [path for path in trees if is_test_name(_name(path))]
    modules = {path: tree for path, tree in trees.items() if path.endswith(".py") and path not in tests}
    doctests = [path for path, tree in modules.items() if has_doctest(tree)]
    unnameable = [path for path in [*tests, *doctests] if not is_utf8(decode(path))]
    if unnameable:
        steps.append(
            f"The tests in {', '.join(unnameable)} are not run: pytest can't be told of a name that is not UTF-8"
        )
        tests, doctests = ([path for path in each if path not in unnameable] for each in (tests, doctests))
    if (tests or doctests) and has_pytest(task):
        steps.append(f"Run the tests in {', '.join([*tests, *doctests])}")
        checks.append(_tests_job(tests, doctests, task, workspace))
    elif tests or doctests:
        steps.append(f"The tests in {', '.join([*tests, *doctests])} are not run: {task.python} has no pytest")
    if any(_changes(change, task) for change in task.given):
        # A file of the project is replaced: the project's own tests say whether it still does what they ask of it.
        found = find_tests(Path(task.project))
        if found is not None and has_pytest(task):
            steps.append("Run the project's tests")
            checks.append(pytest_job(Invocation(True, found.args, cwd_on_path=True), task, workspace))
    if not steps:
        steps.append("Nothing among the given files can be run")
    # What is given is judged as it stands: there is nothing before it to compare with.
    return Plan(steps=tuple(steps), checks=tuple(checks), baseline=False)


def _plan_of_change(task: Task, workspace: Workspace) -> Plan:
    # The files that differ are no places to which the tests are to be narrowed down.
    whole = msgspec.structs.replace(task, files=())
    checks: tuple[Job, ...] = ()
    if task.test_command:
        job, how = test_check(whole, workspace)
        checks, step = (job,), f"Run the tests before the change and with it ({how})"
    elif (found := find_tests(Path(task.project))) is None:
        step = "No tests were found that could be run"
    elif not has_pytest(task):
        step = f"The tests are not run: {task.python} has no pytest"
    else:
        there = tuple(name for name in found.args if Path(workspace.root, name).is_file())
        limits = Limits(tier="heavy") if found.files >= MANY_FILES else None
        invocation = Invocation(pytest=True, args=there or found.args, cwd_on_path=True)
        checks = (pytest_job(invocation, task, workspace, limits=limits),)
        step = f"Run the tests before the change and with it (pytest: {found.why})"
    return Plan(steps=(step,), checks=checks, goal="change")


def _changes(change: FileChange, task: Task) -> bool:
    """Whether a given file is to take the place of one that says something else."""
    try:
        return read_regular(Path(task.project).resolve(), change.path) != change.content
    except UnsafePath:
        return True
    except OSError:
        return False


def is_script(path: str, tree: ast.Module) -> bool:
    """Whether running the file does something: it guards its main part by `__name__`, or acts at module level."""
    if _name(path) in _NOT_RUN_ALONE or is_test_name(_name(path)):
        return False
    return any(_acts(statement) for statement in tree.body)


def has_doctest(tree: ast.Module) -> bool:
    """Whether a docstring holds an interactive example."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return any(">>> " in (ast.get_docstring(n) or "") for n in ast.walk(tree) if isinstance(n, documented))


def module_name(path: str, packages: Iterable[str]) -> str:
    """The dotted name of a file whose folders, up to the project's root, are all packages (they hold an `__init__.py`);
    empty for a file that lies in no such package."""
    folders = path.split("/")[:-1]
    known = set(packages)
    if not folders or any("/".join(folders[: n + 1]) not in known for n in range(len(folders))):
        return ""
    parts = [*folders, _name(path).removesuffix(".py")]
    return ".".join(parts[:-1] if parts[-1] == "__main__" else parts)


def _acts(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Call | ast.Await)
    if isinstance(statement, ast.If):
        names = {node.id for node in ast.walk(statement.test) if isinstance(node, ast.Name)}
        return "__name__" in names
    return isinstance(statement, ast.For | ast.While | ast.With)


def _script_job(path: str, task: Task, workspace: Workspace) -> Job:
    name = module_name(path, _packages(path, task)) if path.endswith(".py") else ""
    run = ("-m", name) if name else (decode(path),)
    return Job(id=f"run:{path}", argv=(task.python, *run), workspace=workspace, limits=QUICK)


def _tests_job(tests: list[str], doctests: list[str], task: Task, workspace: Workspace) -> Job:
    options = ("--doctest-modules",) if doctests else ()
    files = (f"./{decode(path)}" for path in [*tests, *doctests])
    return pytest_job(Invocation(pytest=True, args=(*options, *files), cwd_on_path=True), task, workspace)


def _packages(path: str, task: Task) -> Iterator[str]:
    given = {change.path for change in task.given if change.content is not None}
    folders = path.split("/")[:-1]
    for n in range(len(folders)):
        folder = "/".join(folders[: n + 1])
        if f"{folder}/__init__.py" in given or Path(on_disk(task.project, folder), "__init__.py").is_file():
            yield folder


def _parsed(change: FileChange) -> ast.Module | None:
    try:
        return parse(decode_source(change.content or b""))
    except (SyntaxError, SourceError):
        return None


def _name(path: str) -> str:
    return path.rpartition("/")[2]
