"""The plan's part for JavaScript and TypeScript: it is added to what other planners plan for their languages.

A `check` runs each given program, the given tests, and the package's tests when a file of the project is replaced. A
`fix` runs the package's tests. What was found, and how, is said in the steps and in a note, so that a person sees it
and can set it right.
"""

from __future__ import annotations

from collections.abc import Generator

import msgspec

from treadle.core.context import Context
from treadle.core.errors import UsageError
from treadle.core.hooks import hookimpl
from treadle.core.paths import decode, on_disk
from treadle.core.records import Contribution, FileChange, Job, Plan, Task, Workspace
from treadle.core.tree.listing import project_files
from treadle.core.tree.sources import is_python
from treadle.plugins.languages.javascript import detection
from treadle.plugins.languages.javascript.detection import Runner
from treadle.plugins.languages.javascript.node import QUICK, Node, ask_node, command_job
from treadle.plugins.languages.javascript.project_files import ProjectFiles, join
from treadle.plugins.languages.javascript.sources import (
    JAVASCRIPT,
    TYPESCRIPT,
    is_ours,
    is_test,
    is_typescript,
    why_not_run,
)
from treadle.plugins.languages.javascript.test_jobs import no_program, tests_job

_SHOWN = 5
_NOT_RUN = " not run: "


@hookimpl
def treadle_settings() -> dict[str, object]:
    """`node`: the path of Node ("": the first on PATH). `runner`: node, vitest, jest, mocha, script (the package's
    script `test` as it is) or none ("": by the look of the package). `types`, `lint`: whether the project's tsc and
    eslint judge a change."""
    return {"node": "", "runner": "", "types": True, "lint": True}


@hookimpl
def treadle_contributions() -> tuple[Contribution, ...]:
    """The two languages, with the endings of their files."""
    return (
        Contribution(kind="language", name="javascript", summary="JavaScript, by Node", files=JAVASCRIPT),
        Contribution(kind="language", name="typescript", summary="TypeScript, by the project's tsc", files=TYPESCRIPT),
    )


@hookimpl(wrapper=True)
def treadle_plan(task: Task, workspace: Workspace, context: Context) -> Generator[None, Plan | None, Plan | None]:
    """The other planners' plan with this language's steps and checks. Where they find nothing to plan, this plan is the
    whole; their `UsageError` stands when there is nothing here either."""
    refusal: UsageError | None = None
    plan: Plan | None = None
    try:
        plan = yield
    except UsageError as error:
        refusal = error
    alone = plan is None or _takes_its_place(task, plan)
    own = _plan_check(task, workspace, context, alone) if task.kind == "check" else _plan_fix(task, workspace, context)
    if own is None:
        if refusal is not None:
            raise refusal
        return plan
    if refusal is not None and any(is_python(path) for path in project_files(task.project)):
        context.note(f"the tests of Python are left out: {refusal}")
    if plan is None or alone:
        return own
    # What others planned for the same task stands; a fix has its closing steps once.
    return msgspec.structs.replace(plan, steps=_merged(plan.steps, own.steps), checks=(*plan.checks, *own.checks))


def _takes_its_place(task: Task, plan: Plan) -> bool:
    if task.kind == "check":
        return not plan.checks and not any(is_python(c.path, c.content or b"") for c in task.given)
    return detection.is_nodes(task.test_command) or _only_ours(task)


def _merged(theirs: tuple[str, ...], ours: tuple[str, ...]) -> tuple[str, ...]:
    new = tuple(step for step in ours if step not in theirs)
    return (*theirs[:1], *new, *theirs[1:])


# ------------------------------------------------------------ fix


def _only_ours(task: Task) -> bool:
    """Whether the person named files, and all of them are of these languages."""
    return bool(task.files) and all(is_ours(place) for place in task.files)


def _plan_fix(task: Task, workspace: Workspace, context: Context) -> Plan | None:
    """The package's tests, None when this language has no say: the person's own command is another's, or the files that
    they named are; or the package says nothing of tests."""
    command = task.test_command
    if task.kind != "fix" or (command and not detection.is_nodes(command)):
        return None
    if task.files and not any(is_ours(place) or on_disk(task.project, place).is_dir() for place in task.files):
        return None
    files = ProjectFiles(task.project)
    first = task.files[0] if task.files else ""
    at = first if is_ours(first) or not first else join(first, "package.json")
    folder = files.folder_of_package(at) if first else ""
    runner = _runner(files, folder, context, command)
    if runner is None:
        return None
    node, problem = ask_node(context)
    if node is None:
        raise UsageError(f"the tests of JavaScript can't be run: {problem}")
    if lack := no_program(files, folder, runner):
        raise UsageError(f"the tests of JavaScript can't be run: {lack}")
    _say_what_was_found(files, folder, runner, node, context)
    named = tuple(place for place in task.files if is_ours(place) and is_test(place, None))
    return Plan(
        steps=(
            f"Run the tests as they are, by {_how(runner)}",
            "Find a change with which every test passes",
            "Run all the tests on it once more",
        ),
        checks=(tests_job(files, folder, runner, node, workspace, task.python, named),),
    )


# ------------------------------------------------------------ check


def _plan_check(task: Task, workspace: Workspace, context: Context, alone: bool) -> Plan | None:
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
    for change in given:
        _add_program(change, files, node, steps, checks)
    folders = dict.fromkeys(files.folder_of_package(change.path) for change in (*given, *replaced))
    for folder in folders:
        inside = tuple(change for change in given if files.folder_of_package(change.path) == folder)
        all_of_them = any(files.folder_of_package(change.path) == folder for change in replaced)
        tests = tuple(change.path for change in inside if is_test(change.path, change.content))
        runner = _runner(files, folder, context, task.test_command)
        if runner is not None and runner.name == "node" and not (node.strips_types or "--import" in runner.args):
            unread = tuple(path for path in tests if is_typescript(path))
            tests = tuple(path for path in tests if path not in unread)
            if unread:
                steps.append(f"The tests in {_listed(unread)} are not run: Node {node.version} runs no TypeScript")
        if runner is not None or tests:
            _say_what_was_found(files, folder, runner, node, context)
        if not tests and not all_of_them:
            continue
        if runner is None:
            if tests:
                steps.append(f"The tests in {_listed(tests)} are not run: nothing says how, or runner is set to none")
            continue
        if lack := no_program(files, folder, runner):
            steps.append(f"The tests are not run: {lack}")
            continue
        what = "the package's tests" if all_of_them else f"the tests in {_listed(tests)}"
        steps.append(f"Run {what} by {_how(runner)}")
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
    return place.is_file() and place.read_bytes() != change.content


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


# ------------------------------------------------------------ both


def _runner(files: ProjectFiles, folder: str, context: Context, command: tuple[str, ...]) -> Runner | None:
    chosen = str(context.settings().get("runner", ""))
    if chosen and chosen not in (*detection.RUNNERS, "none"):
        known = ", ".join((*detection.RUNNERS, "none"))
        raise UsageError(f"[plugins.javascript] runner is {chosen!r}; it is one of {known}, or empty to look")
    found = detection.find_runner(files, folder, chosen, command if detection.is_nodes(command) else ())
    if found is not None or chosen == "none":
        return found
    if any(is_test(path, (files.read(path) or "").encode()) for path in _own_files(files, folder)):
        return Runner("node", (), "no script or dependency says how to test")
    return None


def _own_files(files: ProjectFiles, folder: str) -> tuple[str, ...]:
    below = f"{folder}/" if folder else ""
    on_disk_now = (path for path in project_files(files.root) if is_ours(path) and path.startswith(below))
    return tuple(dict.fromkeys((*(path for path in files.given if path.startswith(below)), *on_disk_now)))


def _say_what_was_found(files: ProjectFiles, folder: str, runner: Runner | None, node: Node, context: Context) -> None:
    tools = [name for name in ("tsc",) if files.program(folder, name)]
    tools += ["eslint"] if files.program(folder, "eslint") and detection.has_eslint_config(files, folder) else []
    manager = detection.package_manager(files, folder)
    parts = [
        f"Node {node.version}",
        f"packages by {manager}" if manager else "",
        f"{' and '.join(tools)} of the project" if tools else "",
        f"tests by {_how(runner)}" if runner else "no tests found",
    ]
    where = f" in {folder}" if folder else ""
    context.note(
        f"JavaScript{where}: {', '.join(filter(None, parts))}. To have them run another way, set runner in "
        "[plugins.javascript], or test_command"
    )


def _how(runner: Runner) -> str:
    name = {"node": "node --test", "script": "its script"}.get(runner.name, runner.name)
    return f"{name} ({runner.why})"


def _listed(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


__all__ = ["treadle_contributions", "treadle_plan", "treadle_settings"]
