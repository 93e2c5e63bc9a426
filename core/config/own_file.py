"""A file that the program owns: written whole or not at all, by one program at a time.

The new content goes to a file beside it, reaches the disk (fsync(2)), takes its name (rename(2)), and then the folder
reaches the disk. All of it is done in the one open folder that is locked, wherever its path may lead meanwhile.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import secrets
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from treadle.core.config.real_place import real_place
from treadle.core.errors import ConfigError
from treadle.core.places import make_private

_TRIES = 100  # to lock the folder of a file whose links are being changed meanwhile
_AS_IT_WAS = "; the file is as it was"
_MENDS = {
    errno.ENOSPC: "; make room on that disk and try again",
    errno.EDQUOT: "; delete what you can do without and try again",
    errno.EROFS: "; mount its file system so that it can be written",
    errno.EISDIR: "; move that folder away",
    errno.ENOTDIR: "; move the file away that is where a folder is due",
    errno.EACCES: "; mend the permissions of its folder",
    errno.EPERM: "; mend the permissions of its folder",
}
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


class NoRoom(ConfigError):
    """The disk is full, or what the person may use of it."""


def rewrite(path: Path, content: Callable[[], bytes], *, inside: Path | None = None, is_text: bool = False) -> None:
    """Put what `content` makes of the file as it is in its place, in one step; whoever else does so meanwhile waits. A
    symlink stays, and the file that it leads to is replaced; with `inside`, that must lie below this folder. Missing
    folders are made, for the person alone unless they lie in `inside`. `is_text`: blank lines at the end do no harm, so
    that where there is no room for a second file, the new content can take the blocks of the old. Raises `ConfigError`
    when it can't be written (`NoRoom` where that is why), and what `content` raises."""
    try:
        with _locked_folder(path, inside) as (folder, name):
            _sweep(folder, name)
            data = content()
            try:
                _replace(folder, name, data)
            except OSError as error:
                if not (is_text and error.errno in _NO_ROOM and _overwritten(folder, name, data)):
                    raise
    except OSError as error:
        mend = _MENDS.get(error.errno or 0, "")
        if not mend or error.errno in _NO_ROOM:
            mend += _AS_IT_WAS
        kind = NoRoom if error.errno in _NO_ROOM else ConfigError
        raise kind(f"{path}: can't be written ({error.strerror or error}){mend}") from None


def why_not_written(error: OSError) -> str:
    """Which file could not be written, why, and what mends it; "" for an error that is none of the disk's."""
    mend = _MENDS.get(error.errno or 0, "")
    return f"{error.filename or 'a file'}: can't be written ({error.strerror}){mend}" if mend else ""


def keep(path: Path, content: bytes) -> None:
    """Write a file that only saves work: no harm is done when it can't be written."""
    with contextlib.suppress(ConfigError):
        rewrite(path, lambda: content)


@contextlib.contextmanager
def _locked_folder(path: Path, inside: Path | None) -> Iterator[tuple[int, str]]:
    """The folder that the file really lies in, open and locked, and the file's name there. The lock is on the folder
    itself, so that no lock file is left in a project."""
    for _ in range(_TRIES):
        real = real_place(path, inside)
        if inside is None:
            make_private(real.parent)
        else:
            real.parent.mkdir(parents=True, exist_ok=True)
        folder = os.open(real.parent, os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            # Whoever held the lock may have led the path elsewhere, or moved the folder away.
            if real_place(path, inside) == real and _is_at(folder, real.parent):
                yield folder, real.name
                return
        finally:
            os.close(folder)
    raise OSError(errno.EAGAIN, "the symlinks that lead to it change all the time")


def _is_at(folder: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(folder), path.stat())
    except OSError:
        return False


def _sweep(folder: int, name: str) -> None:
    """Remove what programs left behind that were killed while they wrote the file: nobody else is writing it now."""
    left_behind = re.compile(re.escape(f".{name}.") + r"[0-9a-f]{16}\.new")
    for each in os.listdir(folder):
        if left_behind.fullmatch(each):
            with contextlib.suppress(OSError):  # one that stays does no harm
                os.unlink(each, dir_fd=folder)


def _replace(folder: int, name: str, data: bytes) -> None:
    mode = _mode(folder, name)
    new = f".{name}.{secrets.token_hex(8)}.new"
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fchmod(handle, mode)
            os.fsync(handle)
        os.replace(new, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(new, dir_fd=folder)
        raise
    _sync(folder)


def _overwritten(folder: int, name: str, data: bytes) -> bool:
    """Write the data over the old content, when all of it has room in the blocks that the file has. One write, as long
    as the old content at least: whoever reads meanwhile finds the one or the other."""
    try:
        handle = os.open(name, os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    except OSError:
        return False
    with os.fdopen(handle, "wb", buffering=0):
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode) or len(data) > found.st_blocks * 512:
            return False
        padded = data.ljust(found.st_size, b"\n")
        try:
            if os.pwrite(handle, padded, 0) != len(padded):
                return False
            os.fsync(handle)
        except OSError:
            return False
    return True


def _mode(folder: int, name: str) -> int:
    """Whoever may read the file is the person's to say; a new one is theirs alone. Raises `OSError` for what must not
    become a file."""
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return 0o600
    if stat.S_ISDIR(found):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(found):
        raise OSError(errno.EINVAL, "it is no regular file")
    return stat.S_IMODE(found)


def _sync(folder: int) -> None:
    try:
        os.fsync(folder)
    except OSError as error:
        # Some network and FUSE file systems can't sync a folder, and say so in this way.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
