"""Reading a project through its workspace: what is there, with a candidate's files laid over it."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from treadle.core import paths
from treadle.core.errors import UnsafePath, WorkspaceError
from treadle.core.records import FileChange, Workspace
from treadle.core.tree import listing
from treadle.core.tree.globs import Glob
from treadle.core.tree.ignored import ignored_in, is_ignored
from treadle.core.tree.reading import inside, read_regular, status
from treadle.core.tree.source_roots import source_roots


def digest(content: bytes) -> str:
    """The SHA-256 (hex) of a file's content, as `FileChange.base` holds it."""
    return hashlib.sha256(content).hexdigest()


def check_apart(project: str, folder: str) -> None:
    """Raise `WorkspaceError` when a folder for a workspace's own files and the project lie inside each other."""
    real, ours = Path(project).resolve(), Path(folder).resolve()
    if ours.is_relative_to(real) or real.is_relative_to(ours):
        raise WorkspaceError(
            f"the folder {ours} for Treadle's state and the project {real} lie inside each other; "
            "set TREADLE_HOME to a folder outside of the project"
        )


def outside(executed: Iterable[str], workspace: Workspace) -> tuple[str, ...]:
    """Of the files that a test run executed (absolute paths, as in `TestReport.outside`), those of the person's own
    tree that the workspace's copy was meant to stand in for. An overlay stands in for all of them."""
    if workspace.kind == "overlay":
        return ()
    project, root = Path(workspace.project).resolve(), Path(workspace.root).resolve()
    reals = ((file, Path(file).resolve()) for file in executed)
    return tuple(f for f, real in reals if real.is_relative_to(project) and not real.is_relative_to(root))


def refuse_outside(executed: Iterable[str], workspace: Workspace) -> None:
    """Raise `WorkspaceError` when a test run executed files of the person's tree: whatever was changed in the copy,
    the tests would go on testing the original."""
    found = outside(executed, workspace)
    if found:
        raise WorkspaceError(
            f"the tests import {found[0]} from your own tree, not from the copy that Treadle works in "
            f"({len(found)} files in all; an editable install does that). Nothing that is changed in the copy would be "
            "tested: allow overlay mounts (see `treadle doctor`), or install the project so that its source roots "
            f"({', '.join(workspace.roots) or '.'}) can come first on the import path"
        )


class Tree:
    """The files of a workspace, `files` laid over them. Links are followed only as long as they stay inside.

    The listing is made once; make another `Tree` to see files that came since.
    """

    def __init__(self, workspace: Workspace, files: Iterable[FileChange] = ()) -> None:
        self._root = Path(workspace.root).resolve()
        self._project = workspace.project
        self._is_copy = workspace.kind == "copy"
        self._over = {paths.check_writable(change.path): change for change in files}

    def read(self, relative: str, most: int = -1) -> bytes:
        """The first `most` bytes of the content (-1: all). Raises `FileNotFoundError` when it is not there (or deleted
        by the candidate), `UnsafePath` when a link or `..` leads out of the project, or when it is no regular file."""
        change = self._over.get(relative)
        if change is not None:
            if change.content is None:
                raise FileNotFoundError(f"{relative} is deleted by the candidate")
            return change.content if most < 0 else change.content[:most]
        return read_regular(self._root, relative, most)

    def exists(self, relative: str) -> bool:
        """Whether there is a file or folder of that name inside the project."""
        change = self._over.get(relative)
        if change is not None:
            return change.content is not None
        if any(name.startswith(relative + "/") and c.content is not None for name, c in self._over.items()):
            return True
        try:
            status(self._root, relative)
        except (OSError, UnsafePath):
            return False
        return True

    def sha256(self, relative: str) -> str | None:
        """The digest of the content, None when the file does not exist: the `base` of a change made from it."""
        try:
            return digest(self.read(relative))
        except FileNotFoundError:
            return None

    def executable(self, relative: str) -> bool:
        """Whether the file may be executed by its owner; False when it does not exist."""
        change = self._over.get(relative)
        if change is not None and change.executable is not None:
            return change.executable
        try:
            return bool(status(self._root, relative).st_mode & stat.S_IXUSR)
        except OSError:
            return False

    @cached_property
    def files(self) -> tuple[str, ...]:
        """Every file of the project's own (see `listing.project_files`), the candidate's among them, sorted."""
        there = dict.fromkeys(self._of_the_copy() if self._is_copy else listing.project_files(self._root))
        for name, change in self._over.items():
            if change.content is None:
                there.pop(name, None)
            else:
                there[name] = None
        return tuple(sorted(there))

    def _of_the_copy(self) -> Iterator[str]:
        """A copy has some files that git ignores as well, for imports alone."""
        ignored = frozenset(ignored_in(self._project))
        return (name for name in listing.walk_project(self._root, self._project) if not is_ignored(name, ignored))

    def glob(self, pattern: str) -> tuple[str, ...]:
        """The files whose whole name fits: `*` and `?` within a part, `**/` for any number of folders."""
        glob = Glob(pattern)
        return tuple(name for name in self.files if glob.fits(name))

    def python_files(self) -> tuple[str, ...]:
        """The Python sources (`.py`) that are regular files on disk or in the candidate; links to them are not."""
        return tuple(name for name in self.files if name.endswith(".py") and self._is_regular(name))

    def has_python(self, folder: str) -> bool:
        """Whether a module or package lies directly in that folder."""
        module = re.compile(re.escape(folder) + r"/[^/]+(\.py|/__init__\.py)")
        return any(module.fullmatch(name) for name in self.files)

    def source_roots(self) -> tuple[str, ...]:
        """The folders that the project's modules are imported from (`core.tree.source_roots`)."""
        return source_roots(self)

    def _is_regular(self, relative: str) -> bool:
        if relative in self._over:
            return True
        try:
            return stat.S_ISREG(os.lstat(f"{self._root}/{paths.decode(relative)}").st_mode)
        except OSError:
            return False

    def real_name(self, relative: str) -> str:
        """The name of the file that this one is, when links are followed. Raises `UnsafePath` when one leads out."""
        return paths.relative_to(self._root, inside(self._root, relative))
