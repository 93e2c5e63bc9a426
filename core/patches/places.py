"""Where a patch may write: inside the project, through no link that leads out, onto regular files of one's own."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from treadle.core import paths
from treadle.core.errors import PatchError, UnsafePath

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def writable_place(root: Path, name: str) -> Path:
    """Where a file of the patch lies, its folder resolved. Raises `UnsafePath` when it may not be written there."""
    place = paths.on_disk(root, paths.check_writable(name))
    parent = place.parent
    while not os.path.lexists(parent):
        parent = parent.parent
    real = parent.resolve()
    if not real.is_relative_to(root):
        raise UnsafePath(f"{name} is refused: its folder {parent} is a link that leads out of the project to {real}")
    if not real.is_dir():
        raise UnsafePath(f"{name} is refused: {parent} is not a folder")
    resolved = real / place.relative_to(parent)
    paths.check_writable(paths.relative_to(root, resolved))
    if os.path.lexists(resolved) and not stat.S_ISREG(resolved.lstat().st_mode):
        raise UnsafePath(f"{name} is refused: it is there, but it is no regular file (a link, a folder or a device)")
    return resolved


@contextlib.contextmanager
def held(root: Path, name: str) -> Iterator[Path]:
    """A path to the file of that name for as long as the block runs, by a descriptor of its folder: whoever may write
    in the project, as a plugin at work, can't lead it elsewhere meanwhile. Raises `OSError` where the folder is not
    there, or does not lie in the project."""
    place = paths.on_disk(root, name)
    folder = _open_folder(root, place.parent.resolve())
    try:
        yield Path(f"/proc/self/fd/{folder}", place.name)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(place)) from error
    finally:
        os.close(folder)


def _open_folder(root: Path, real: Path) -> int:
    if not real.is_relative_to(root):
        raise OSError(errno.ELOOP, "its folder leads out of the project", str(real))
    opened = os.open(root, _FOLDER)
    for part in real.relative_to(root).parts:
        try:
            inner = os.open(part, _FOLDER, dir_fd=opened)
        finally:
            os.close(opened)
        opened = inner
    return opened


def refuse_aliases(names: tuple[str, ...], places: list[Path]) -> None:
    """Raise `UnsafePath` when two names are one file (by a linked folder, a hard link, or letter case)."""
    seen: dict[tuple[int, int] | Path, str] = {}
    for name, place in zip(names, places, strict=True):
        facts = place.stat() if place.exists() else None
        key = (facts.st_dev, facts.st_ino) if facts else place
        if key in seen:
            raise UnsafePath(f"{name} and {seen[key]} are the same file")
        seen[key] = name


def refuse_read_only(root: Path, place: Path, mode: int | None) -> None:
    """Raise `PatchError` when the file (with these permission bits; None for a new one) or its folder is read-only.
    A rename would replace a read-only file all the same, against what its owner wants."""
    if mode is not None and not mode & stat.S_IWUSR:
        raise PatchError(f"{place} is read-only; nothing was changed (chmod u+w lets the patch be applied)")
    parent = place.parent
    while not parent.exists():
        parent = parent.parent
    if not os.access(parent, os.W_OK | os.X_OK):
        raise PatchError(f"{place.relative_to(root)}: the folder {parent} may not be written; nothing was changed")
