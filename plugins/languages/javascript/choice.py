"""Which runner tests a package, after the person's settings, and what they are told of it."""

from __future__ import annotations

from treadle.core.context import Context
from treadle.core.tree.listing import project_files
from treadle.plugins.languages.javascript import detection
from treadle.plugins.languages.javascript.detection import Runner
from treadle.plugins.languages.javascript.node import Node
from treadle.plugins.languages.javascript.project_files import ProjectFiles
from treadle.plugins.languages.javascript.sources import is_javascript, is_ours, is_test

_MOST_READ = 1000


def runner_of(files: ProjectFiles, folder: str, context: Context, command: tuple[str, ...]) -> Runner | None:
    """The runner of the package in that folder; None when nothing says how to test, or the person wants none."""
    chosen = str(context.settings().get("runner", ""))
    found = detection.find_runner(files, folder, chosen, command if detection.is_nodes(command) else ())
    if found is not None or chosen == "none":
        return found
    # TypeScript, which not every Node runs, needs somebody to say that Node is meant.
    own = tuple(path for path in _own_files(files, folder) if is_javascript(path))
    if any(is_test(path, None) for path in own) or any(
        is_test(path, (files.read(path) or "").encode()) for path in own[:_MOST_READ]
    ):
        return Runner("node", (), "no script or dependency says how to test")
    return None


def _own_files(files: ProjectFiles, folder: str) -> tuple[str, ...]:
    """The package's files, without those of packages inside of it."""
    below = f"{folder}/" if folder else ""
    names = dict.fromkeys((*files.given, *project_files(files.root)))
    inside = (path for path in names if is_ours(path) and path.startswith(below))
    return tuple(path for path in inside if files.folder_of_package(path) == folder)


def say_what_was_found(files: ProjectFiles, folder: str, runner: Runner | None, node: Node, context: Context) -> None:
    """Tell the person what was found, so that they can set it right."""
    tools = [name for name in ("tsc",) if files.program(folder, name)]
    tools += ["eslint"] if files.program(folder, "eslint") and detection.has_eslint_config(files, folder) else []
    manager = detection.package_manager(files, folder)
    parts = [
        f"Node {node.version}",
        f"packages by {manager}" if manager else "",
        f"{' and '.join(tools)} of the project" if tools else "",
        f"tests by {how(runner)}" if runner else "no tests found",
    ]
    where = f" in {folder}" if folder else ""
    context.note(
        f"JavaScript{where}: {', '.join(filter(None, parts))}. To have them run another way, set runner in "
        "[plugins.javascript], or test_command"
    )


def how(runner: Runner) -> str:
    """The runner's name, and how it was found."""
    name = {"node": "node --test", "script": "its script"}.get(runner.name, runner.name)
    return f"{name} ({runner.why})"
