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

_CHANGES = (errno.EINVAL, errno.ELOOP, errno.ENOENT, errno.ENOTDIR, errno.ESTALE)
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@contextlib.contextmanager
def looked_at(what: str) -> Iterator[None]:
    """For a block that looks at files and changes none: an `OSError` in it is raised as `PatchError`. Between one look
    and the next, who may write in the project can make a link of a folder, or another thing of a link."""
    try:
        yield
    except (OSError, RuntimeError) as error:  # RuntimeError: pathlib's for links that lead in a circle
        if isinstance(error, OSError) and error.errno not in _CHANGES:
            raise PatchError(f"{what} can't be looked at ({error}); nothing was changed") from error
        raise PatchError(
            f"{what}: a folder or link on the way to it changes while it is looked at, or leads to itself ({error}); "
            "nothing was changed"
        ) from error


def writable_place(root: Path, name: str) -> Path:
    """Where a file of the patch lies, its folder resolved. Raises `UnsafePath` when it may not be written there, and
    `PatchError` when that changes meanwhile."""
    with looked_at(paths.shown(name)):
        return _writable_place(root, name)


def _writable_place(root: Path, name: str) -> Path:
    if not root.is_dir():
        raise PatchError(f"the project's folder {root} is gone; nothing was changed")
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
    there, does not lie in the project, or is one that no patch may write in."""
    place = paths.on_disk(root, name)
    folder = _open_folder(root, _folder_of(root, place))
    try:
        yield Path(f"/proc/self/fd/{folder}", place.name)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(place)) from error
    finally:
        os.close(folder)


def _folder_of(root: Path, place: Path) -> Path:
    try:
        real = place.parent.resolve()
        if not real.is_relative_to(root):
            raise OSError(errno.ELOOP, "its folder leads out of the project", str(real))
        paths.check_writable(paths.relative_to(root, real / place.name))
    except RuntimeError as error:
        raise OSError(errno.ELOOP, "its folder is a link that leads to itself", str(place)) from error
    except UnsafePath as error:  # its folder has become a link into .git
        raise OSError(errno.ELOOP, str(error), str(place)) from error
    return real


def _open_folder(root: Path, real: Path) -> int:
    opened = os.open(root, _FOLDER)
    for part in real.relative_to(root).parts:
        try:
            inner = _open_part(opened, part, real)
        finally:
            os.close(opened)
        opened = inner
    return opened


def _open_part(folder: int, part: str, real: Path) -> int:
    try:
        return os.open(part, _FOLDER, dir_fd=folder)
    except NotADirectoryError:
        if not stat.S_ISLNK(os.stat(part, dir_fd=folder, follow_symlinks=False).st_mode):
            raise
        raise OSError(errno.ELOOP, f"a folder on the way to it, {part}, became a link meanwhile", str(real)) from None


def refuse_aliases(names: tuple[str, ...], places: list[Path]) -> None:
    """Raise `UnsafePath` when two names are one file (by a linked folder, a hard link, or letter case)."""
    seen: dict[tuple[int, int] | Path, str] = {}
    for name, place in zip(names, places, strict=True):
        with looked_at(paths.shown(name)):
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
    with looked_at(str(place)):
        while not parent.exists():
            parent = parent.parent
    if not os.access(parent, os.W_OK | os.X_OK):
        raise PatchError(f"{place.relative_to(root)}: the folder {parent} may not be written; nothing was changed")
