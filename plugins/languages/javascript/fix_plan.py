"""A `fix` of JavaScript and TypeScript: it is done when the tests of the package pass."""

from __future__ import annotations

from treadle.core.context import Context
from treadle.core.errors import UsageError
from treadle.core.paths import on_disk
from treadle.core.records import Plan, Task, Workspace
from treadle.plugins.languages.javascript import detection
from treadle.plugins.languages.javascript.choice import how, runner_of, say_what_was_found
from treadle.plugins.languages.javascript.node import ask_node
from treadle.plugins.languages.javascript.project_files import ProjectFiles, join
from treadle.plugins.languages.javascript.sources import is_ours, is_test
from treadle.plugins.languages.javascript.test_jobs import no_program, tests_job


def plan_fix(task: Task, workspace: Workspace, context: Context, alone: bool) -> Plan | None:
    """The package's tests, None when this language has no say: the person's own command is another's, or the files that
    they named are; or the package says nothing of tests. `alone`: without these tests nothing is planned at all. Raises
    `UsageError` when they are there, and can't be run."""
    command = task.test_command
    if task.kind != "fix" or (command and not detection.is_nodes(command)):
        return None
    if task.files and not any(is_ours(place) or on_disk(task.project, place).is_dir() for place in task.files):
        return None
    files = ProjectFiles(task.project)
    first = task.files[0] if task.files else ""
    at = first if is_ours(first) or not first else join(first, "package.json")
    folder = files.folder_of_package(at) if first else ""
    runner = runner_of(files, folder, context, command)
    if runner is None:
        return None
    node, problem = ask_node(context)
    lack = no_program(files, folder, runner, workspace) if node else problem
    if node is None or lack:
        if alone:
            raise UsageError(f"the tests of JavaScript can't be run: {lack}")
        context.note(f"the tests of JavaScript are left out: {lack}")
        return None
    say_what_was_found(files, folder, runner, node, context)
    named = tuple(place for place in task.files if is_ours(place) and is_test(place, None))
    return Plan(
        steps=(
            f"Run the tests as they are, by {how(runner)}",
            "Find a change with which every test passes",
            "Run all the tests on it once more",
        ),
        checks=(tests_job(files, folder, runner, node, workspace, task.python, named),),
    )
