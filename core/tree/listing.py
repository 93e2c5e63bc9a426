"""Which files a project has: by git where there is a repository, else by walking, never descending into links."""

from __future__ import annotations

import itertools
import os
from collections import deque
from collections.abc import Iterator

from treadle.core import paths
from treadle.core.errors import WorkspaceError
from treadle.core.tree.git import GitView
from treadle.core.tree.markers import is_marked

MOST_UNMARKED = 5_000
"""Files of a folder that nothing marks as a project which are listed: it may be somebody's home, or a whole disk."""

CACHES = frozenset(
    {
        *("__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".cache", ".tox", ".nox"),
        *(".eggs", "node_modules", ".venv", ".git", ".hg", ".svn", ".ipynb_checkpoints", "__pypackages__"),
    }
)
"""Folders that hold nothing of a project's own, or what its tools make anew."""


def project_files(root: str | os.PathLike[str], *, whole: bool = False) -> tuple[str, ...]:
    """The portable names of a project's own files: what git lists as tracked or untracked, and without a repository
    that git can read, what a walk finds. Caches and environments are left out. A name may be a link, or gone. Of a
    folder that nothing marks as a project, all of them when the `whole` is wanted, else as of `walk_project`."""
    listed = _listed_by_git(root)
    if listed is None:
        return tuple(walk(root) if whole else walk_project(root, root))
    environments = tuple(name.removesuffix("pyvenv.cfg") for name in listed if name.endswith("/pyvenv.cfg"))
    return tuple(
        name for name in listed if not name.startswith(environments) and (CACHES.isdisjoint(name.split("/")[:-1]))
    )


def walk_project(root: str | os.PathLike[str], project: str | os.PathLike[str]) -> Iterator[str]:
    """The files of the root, which holds the project or a copy of it: where nothing marks it as one, only the first
    `MOST_UNMARKED`, those nearest to its top before others."""
    return walk(root) if is_marked(project) else itertools.islice(walk(root, broad=True), MOST_UNMARKED)


def is_listed_in_part(root: str | os.PathLike[str]) -> bool:
    """Whether the folder is marked as no project, and has more files than are listed then."""
    if is_marked(root) or _listed_by_git(root) is not None:
        return False
    return next(itertools.islice(walk(root, broad=True), MOST_UNMARKED, None), None) is not None


def walk(root: str | os.PathLike[str], below: str = "", *, broad: bool = False) -> Iterator[str]:
    """The portable names of the files and links below a folder of the root, caches and environments left out.
    Folders that can't be read are passed over. `broad`: those nearest to the top come first."""
    folders = deque([os.fsencode(paths.decode(below)).rstrip(b"/")])
    top = os.fsencode(root)
    while folders:
        folder = folders.popleft() if broad else folders.pop()
        try:
            with os.scandir(top + b"/" + folder) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            continue
        if folder and any(entry.name == b"pyvenv.cfg" for entry in found):
            continue
        inner = []
        for entry in found:
            name = folder + b"/" + entry.name if folder else entry.name
            if not entry.is_dir(follow_symlinks=False):
                yield paths.encode(name)
            elif os.fsdecode(entry.name) not in CACHES:
                inner.append(name)
        folders.extend(inner if broad else reversed(inner))


def _listed_by_git(root: str | os.PathLike[str]) -> tuple[str, ...] | None:
    try:
        view = GitView.open(root)
        return view.files() if view else None
    except WorkspaceError:
        return None
