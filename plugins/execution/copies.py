"""Putting a workspace's copy back as it was after a job, where no mount can throw a job's writes away."""

from __future__ import annotations

import shutil
import stat
from collections.abc import Container, Iterator
from pathlib import Path

from treadle.core.errors import WorkspaceError
from treadle.core.tree.remove_tree import remove_tree
from treadle.core.walking import copy_folder, walk

# What tells a file that was touched from one that was not: nothing but the kernel sets the time of change.
_Mark = tuple[int, int, int]


class PristineCopy:
    """The content of a workspace's copy, kept in a folder beside it to restore from.

    It is made before the first job runs. Restoring looks at every file's inode, change time and mode, and copies back
    those that differ; what a job added is removed.
    """

    def __init__(self, root: Path, store: Path) -> None:
        self._root = root
        self._store = store
        try:
            remove_tree(store.parent, store.name)
            copy_folder(root, store)
        except OSError as error:
            raise WorkspaceError(
                f"the copy {root} can't be kept to restore it from ({error}); make room in {store.parent}"
            ) from error
        self._marks = dict(self._look())

    def restore(self) -> None:
        """Make the copy what it was. Raises `WorkspaceError` when that is not possible."""
        try:
            self._restore()
        except OSError as error:
            raise WorkspaceError(f"the copy {self._root} can't be put back as it was: {error}") from error

    def remove(self) -> None:
        """Forget it. Raises `WorkspaceError` when its folder can't be removed."""
        try:
            remove_tree(self._store.parent, self._store.name)
        except OSError as error:
            raise WorkspaceError(f"the folder {self._store} can't be removed: {error}") from error

    def _restore(self) -> None:
        now = dict(self._look(self._marks))
        for name in sorted(now.keys() - self._marks.keys(), key=len, reverse=True):
            self._remove(self._root / name)
        for name in sorted(self._marks):
            if now.get(name) != self._marks[name]:
                self._bring_back(name)
        self._marks = dict(self._look())

    def _look(self, known: Container[str] | None = None) -> Iterator[tuple[str, _Mark]]:
        """Of a folder that is none of the `known`, nothing that lies in it: a job may have nested folders deeper than a
        path can name."""
        for folder, folders, files in walk(self._root):
            for name in files + folders:
                status = (self._root / folder / name).lstat()
                # A folder changes with each entry; what counts is that it is one, and its mode.
                is_folder = stat.S_ISDIR(status.st_mode)
                mark = (0, 0, status.st_mode) if is_folder else (status.st_ino, status.st_ctime_ns, status.st_mode)
                yield _within(folder, name), mark
            if known is not None:
                folders[:] = (name for name in folders if _within(folder, name) in known)

    def _bring_back(self, name: str) -> None:
        kept, place = self._store / name, self._root / name
        if kept.is_dir() and not kept.is_symlink():
            if place.is_symlink() or not place.is_dir():
                self._remove(place)
                place.mkdir()
            place.chmod(kept.stat().st_mode & 0o7777)
            return
        self._remove(place)
        shutil.copy2(kept, place, follow_symlinks=False)

    def _remove(self, place: Path) -> None:
        if place.is_symlink() or not place.is_dir():
            place.unlink(missing_ok=True)
        else:
            remove_tree(place.parent, place.name)


def _within(folder: str, name: str) -> str:
    return name if folder == "." else f"{folder}/{name}"
