"""A `check` of JavaScript and TypeScript: programs are run, given tests too, and all tests of a package when one of its
files is replaced. Of a change whose files before it are known, only the packages' tests are run."""

from __future__ import annotations

from treadle.core.context import Context
from treadle.core.errors import UsageError
from treadle.core.paths import decode, on_disk
from treadle.core.records import FileChange, Job, Plan, Task, Workspace
from treadle.plugins.languages.javascript.choice import how, runner_of, say_what_was_found
from treadle.plugins.languages.javascript.detection import Runner
from treadle.plugins.languages.javascript.node import QUICK, Node, ask_node, command_job
from treadle.plugins.languages.javascript.project_files import ProjectFiles
from treadle.plugins.languages.javascript.sources import is_ours, is_test, is_typescript, why_not_run
from treadle.plugins.languages.javascript.test_jobs import no_program, tests_job

_SHOWN = 5
_NOT_RUN = " not run: "


def plan_check(task: Task, workspace: Workspace, context: Context, alone: bool) -> Plan | None:
    """Jobs for the programs and tests among the given files, None when none of them is of these languages. `alone`:
    nobody else looks at what was given."""
    given = tuple(change for change in task.given if is_ours(change.path) and change.content is not None)
    replaced = tuple(change for change in task.given if _concerns_tests(change) and _changes(change, task))
    if not given and not replaced:
        return None
    files = ProjectFiles(task.project, task.given)
    node, problem = ask_node(context)
    if node is None:
        if alone and given:
            raise UsageError(f"JavaScript can't be checked: {problem}")
        return Plan(steps=(f"Nothing of JavaScript is run: {problem}",), checks=(), baseline=False)
    steps: list[str] = []
    checks: list[Job] = []
    for change in () if task.before else given:
        _add_program(change, files, node, steps, checks)
    folders = dict.fromkeys(files.folder_of_package(change.path) for change in (*given, *replaced))
    for folder in folders:
        inside = tuple(change for change in given if files.folder_of_package(change.path) == folder)
        all_of_them = any(files.folder_of_package(change.path) == folder for change in replaced)
        tests = tuple(change.path for change in inside if is_test(change.path, change.content))
        runner = runner_of(files, folder, context, task.test_command)
        if runner is not None or tests:
            say_what_was_found(files, folder, runner, node, context)
        tests, unread = _readable(tests, runner, node)
        if unread:
            steps.append(f"The tests in {listed(unread)} are not run: Node {node.version} runs no TypeScript")
        if not tests and not all_of_them:
            continue
        lack = no_program(files, folder, runner, workspace) if runner else "nothing says how, or runner is set to none"
        if runner is None or lack:
            if runner or tests:
                steps.append(f"The tests are not run: {lack}")
            continue
        what = "the package's tests" if all_of_them else f"the tests in {listed(tests)}"
        steps.append(f"Run {what} by {how(runner)}")
        narrowed = () if all_of_them else tests
        checks.append(tests_job(files, folder, runner, node, workspace, task.python, narrowed))
    if not steps:
        steps.append("Nothing among the given files can be run")
    elif checks:
        # Where something is run, nobody would look for what is not.
        for step in steps:
            if _NOT_RUN in step:
                context.note(step)
    return Plan(steps=tuple(steps), checks=tuple(checks), baseline=False)


def _concerns_tests(change: FileChange) -> bool:
    return is_ours(change.path) or change.path.rpartition("/")[2] == "package.json"


def _changes(change: FileChange, task: Task) -> bool:
    """Whether a given file is to take the place of one that says something else."""
    place = on_disk(task.project, change.path)
    return bool(task.before) or (place.is_file() and place.read_bytes() != change.content)


def _add_program(change: FileChange, files: ProjectFiles, node: Node, steps: list[str], checks: list[Job]) -> None:
    why = why_not_run(change)
    if why == "":
        return
    # The last lines of what a failing program says are shown, and Node puts the reason above its stack.
    program: tuple[str, ...] = (node.path, "--stack-trace-limit=3")
    if why is None and is_typescript(change.path) and not node.strips_types:
        tsx = files.program(files.folder_of_package(change.path), "tsx")
        program = (f"./{decode(tsx)}",) if tsx else ()
        why = None if tsx else f"is TypeScript, which Node {node.version} does not run, and the project has no tsx"
    if why is not None:
        steps.append(f"{change.path} is not run: it {why}")
        return
    steps.append(f"Run {change.path}")
    argv = (*program, f"./{decode(change.path)}")
    checks.append(command_job(f"run:{change.path}", argv, node.path, limits=QUICK))


def _readable(tests: tuple[str, ...], runner: Runner | None, node: Node) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The tests that the runner can read, and the others."""
    if runner is None or runner.name != "node" or node.strips_types or "--import" in runner.args:
        return tests, ()
    return tuple(t for t in tests if not is_typescript(t)), tuple(t for t in tests if is_typescript(t))


def listed(names: tuple[str, ...]) -> str:
    """The first of the names, and how many more there are."""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
