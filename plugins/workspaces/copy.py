"""The copy workspace: a copy of the project's own files, for machines on which nothing can be mounted.

It holds what git lists as tracked or untracked, and what is ignored but needed to import the project: files below the
source roots, no caches, environments or build outputs. Source roots come first on the import path; what a test run
imports from the person's tree all the same is noticed by `core.workspace.refuse_outside`.

It is also where a change is checked that is in the files already: the copy is then the project as it was before.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from treadle.core.context import Context
from treadle.core.contributions import Setting
from treadle.core.errors import InterpreterError, WorkspaceError
from treadle.core.hooks import hookimpl
from treadle.core.interpreter import describe
from treadle.core.paths import encode
from treadle.core.records import Task, Workspace
from treadle.core.site_paths import named_folders
from treadle.core.tree.laying import lay_over
from treadle.core.tree.remove_tree import remove_tree
from treadle.core.tree.tree_copy import TreeCopy, copy_tree
from treadle.core.tree.workspace import Tree, check_apart

MIB = 1 << 20


@hookimpl
def treadle_settings() -> tuple[Setting, ...]:
    """What a copy may hold."""
    return (
        Setting(name="max_mib", default=2048, least=1, summary="MiB that a copy may hold."),
        Setting(name="max_files", default=200_000, least=1, summary="Files that a copy may hold."),
    )


@hookimpl(trylast=True)
def treadle_open_workspace(task: Task, context: Context) -> Workspace | None:
    """A fresh copy in the session's folder. Raises `WorkspaceError` when the project is too large for one."""
    settings = context.settings()
    folder = context.folder("session")
    check_apart(task.project, folder)
    root = Path(folder, "copy")
    _remove(root)
    made = copy_tree(
        Path(task.project),
        root,
        max_bytes=_number(settings, "max_mib", 2048) * MIB,
        max_files=_number(settings, "max_files", 200_000),
        cancelled=context.cancelled,
    )
    _tell(made, context)
    lay_over(root, task.before)
    workspace = Workspace(id=f"copy-{task.id}", kind="copy", project=task.project, root=str(root), upper="")
    roots = Tree(workspace).source_roots()
    if task.before:
        # The change may have brought others; and a project that is installed from its files must not be imported there.
        roots = tuple(dict.fromkeys((*roots, *Tree(workspace, task.given).source_roots(), *installed_roots(task))))
    return msgspec.structs.replace(workspace, roots=roots)


@hookimpl
def treadle_close_workspace(workspace: Workspace, context: Context) -> None:
    """Remove the copy, when it is ours."""
    ours = Path(context.folder("session"), "copy")
    if workspace.kind == "copy" and Path(workspace.root) == ours:
        _remove(ours)


def installed_roots(task: Task) -> Iterator[str]:
    """The folders of the project, as portable names, from which the task's interpreter would import it, since an
    editable install says so."""
    project = Path(task.project).resolve()
    try:
        sites = describe(task.python, project=task.project).site_paths
    except InterpreterError:
        return
    for folder in named_folders(map(Path, sites)):
        root = folder
        while root.is_relative_to(project) and (root / "__init__.py").exists():
            root = root.parent
        if root.is_relative_to(project):
            yield encode(root.relative_to(project))


def _remove(root: Path) -> None:
    try:
        remove_tree(root.parent, root.name)
    except FileNotFoundError:
        return
    except OSError as error:
        raise WorkspaceError(f"the old copy {root} can't be removed ({error}); remove it and try again") from error


def _number(settings: dict[str, object], name: str, default: int) -> int:
    value = settings.get(name, default)
    return value if isinstance(value, int) else default


def _tell(made: TreeCopy, context: Context) -> None:
    context.log("info", "the project was copied", files=made.files, bytes=made.size)
    for reason, names in made.skipped.items():
        context.log("warning", f"not in the workspace's copy: {reason}", count=len(names), names=list(names[:20]))
    if made.skipped:
        context.emit("skipped", {reason: list(names[:20]) for reason, names in made.skipped.items()})
