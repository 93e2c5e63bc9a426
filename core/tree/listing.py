"""Which files a project has: by git where there is a repository, else by walking, never descending into links."""

from __future__ import annotations

import os
from collections.abc import Iterator

from treadle.core import paths
from treadle.core.errors import WorkspaceError
from treadle.core.tree.git import GitView

CACHES = frozenset(
    {
        *("__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".cache", ".tox", ".nox"),
        *(".eggs", "node_modules", ".venv", ".git", ".hg", ".svn", ".ipynb_checkpoints", "__pypackages__"),
    }
)
"""Folders that hold nothing of a project's own, or what its tools make anew."""


def project_files(root: str | os.PathLike[str]) -> tuple[str, ...]:
    """The portable names of a project's own files: what git lists as tracked or untracked, and without a repository
    that git can read, what a walk finds. Caches and environments are left out. A name may be a link, or gone."""
    listed = _listed_by_git(root)
    if listed is None:
        return tuple(walk(root))
    environments = tuple(name.removesuffix("pyvenv.cfg") for name in listed if name.endswith("/pyvenv.cfg"))
    return tuple(
        name for name in listed if not name.startswith(environments) and (CACHES.isdisjoint(name.split("/")[:-1]))
    )


def walk(root: str | os.PathLike[str], below: str = "") -> Iterator[str]:
    """The portable names of the files and links below a folder of the root, caches and environments left out.
    Folders that can't be read are passed over."""
    folders = [os.fsencode(paths.decode(below)).rstrip(b"/")]
    top = os.fsencode(root)
    while folders:
        folder = folders.pop()
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
        folders.extend(reversed(inner))


def _listed_by_git(root: str | os.PathLike[str]) -> tuple[str, ...] | None:
    try:
        view = GitView.open(root)
        return view.files() if view else None
    except WorkspaceError:
        return None
