"""Files laid over a folder: whether they can be at all (what is a file can't be a folder too, and a link is no folder),
and laying them there."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal

from treadle.core import paths
from treadle.core.errors import WorkspaceError
from treadle.core.records import FileChange
from treadle.core.walking import make_folders

MOST_FOLDERS = 10_000
"""New folders that a change may need: a name of four kilobytes may ask for two thousand."""

_Kind = Literal["file", "folder", "new folder", ""]  # empty: there is nothing
_FOLDERS = ("folder", "new folder")


def why_not(files: Iterable[FileChange], root: str) -> str:
    """Why these files can't be laid over the folder, one after the other; empty where they can."""
    known: dict[str, _Kind] = {"": "folder"}  # what is a folder stays one
    made = 0
    for change in files:
        path = paths.normal(change.path)
        not_yet, above = _not_yet_folders(path, known)
        for folder in not_yet:
            above = _kind_of(folder, root, known, above)
            if above == "file":
                return f"{paths.shown(path)} can't be written: {paths.shown(folder)} is no folder"
            if not above and change.content is not None:
                known[folder] = above = "new folder"
                made += 1
        if made > MOST_FOLDERS:
            return f"its files lie in more than {MOST_FOLDERS:,} new folders"
        if not above and change.content is None:
            return f"{paths.shown(path)} can't be deleted: there is no such folder"
        if _kind_of(path, root, known, above) in _FOLDERS:
            return f"{paths.shown(path)} can't be written: it is a folder"
        known[path] = "" if change.content is None else "file"
    return ""


def _not_yet_folders(path: str, known: Mapping[str, _Kind]) -> tuple[list[str], _Kind]:
    """The folders above it that are not known to be folders, the outermost first, and of which kind that one is that
    they lie in."""
    found: list[str] = []
    above = path.rpartition("/")[0]
    while known.get(above) not in _FOLDERS:
        found.append(above)
        above = above.rpartition("/")[0]
    return found[::-1], known[above]


def _kind_of(path: str, root: str, known: dict[str, _Kind], above: _Kind) -> _Kind:
    """What lies there, of which `above` is what it lies in. In a new folder there is nothing, also where a link that
    leads elsewhere was in its place."""
    if path not in known:
        known[path] = _kind(root, path) if above == "folder" else ""
    return known[path]


def lay_over(root: Path, files: tuple[FileChange, ...]) -> None:
    """Write the files into a folder of Treadle's own, and remove those without content, with the folders that are empty
    then. Raises `WorkspaceError` where one can't be laid there."""
    for change in sorted(files, key=lambda change: change.content is not None):  # what goes makes room
        place = paths.on_disk(root, paths.check_writable(change.path))
        try:
            if change.content is None:
                _remove(root, place)
            else:
                _write(root, place, change.content, 0o755 if change.executable else 0o644)
        except OSError as error:
            raise WorkspaceError(f"{paths.shown(change.path)} can't be laid over {root}: {error}") from error


def _remove(root: Path, place: Path) -> None:
    if not place.parent.is_dir() or place.parent.resolve() != root.resolve() / place.parent.relative_to(root):
        return  # nothing is there, or behind a link nothing of this folder
    place.unlink(missing_ok=True)
    for folder in place.parents:
        if folder == root or not folder.is_dir() or any(folder.iterdir()):
            return
        folder.rmdir()


def _write(root: Path, place: Path, content: bytes, mode: int) -> None:
    make_folders(place.parent)
    if place.parent.resolve() != root.resolve() / place.parent.relative_to(root):
        raise WorkspaceError(f"{place} can't be written: a folder on the way to it is a link")
    place.unlink(missing_ok=True)
    descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)


def _kind(root: str, path: str) -> _Kind:
    try:
        mode = os.lstat(f"{root}/{paths.decode(path)}").st_mode
    except OSError:
        return ""
    return "folder" if stat.S_ISDIR(mode) else "file"
