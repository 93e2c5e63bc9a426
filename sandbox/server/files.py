"""Writing files for a job, and reading those that it left, without ever following a link that somebody planted."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterable

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class UnsafeName(ValueError):
    """A name is empty, absolute, or climbs out with `..`."""


def _parts(name: str) -> list[str]:
    parts = name.split("/")
    if any(part in ("", ".", "..") for part in parts) or "\0" in name:
        raise UnsafeName(f"{name!r} is not a plain relative file name")
    return parts


def open_folder(root: str | int, parts: list[str], *, make: bool) -> int:
    """A descriptor of the folder, walked part by part so that no link on the way is followed. Raises OSError."""
    current = os.dup(root) if isinstance(root, int) else os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts:
            try:
                inner = os.open(part, _FOLDER, dir_fd=current)
            except FileNotFoundError:
                if not make:
                    raise
                os.mkdir(part, 0o755, dir_fd=current)
                inner = os.open(part, _FOLDER, dir_fd=current)
            os.close(current)
            current = inner
    except OSError:
        os.close(current)
        raise
    return current


def lay(root: str | int, name: str, content: bytes | None, executable: bool | None) -> None:
    """Put a file at `name` below `root` (a path, or a descriptor of the folder) in place of what is there (None: delete
    it). `executable` None keeps the mode.

    The new file's time differs from the old one's in whole seconds, since Python takes compiled code for fresh when
    the seconds and the size are the same. Raises OSError, or UnsafeName.
    """
    *folders, last = _parts(name)
    folder = open_folder(root, folders, make=content is not None)
    try:
        before = _stat(last, folder)
        if before is not None:
            os.unlink(last, dir_fd=folder)
        if content is None:
            return
        mode = before.st_mode & 0o777 if before is not None and stat.S_ISREG(before.st_mode) else 0o644
        if executable is not None:
            mode = mode | 0o111 if executable else mode & ~0o111
        new = os.open(last, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=folder)
        with os.fdopen(new, "wb") as file:
            file.write(content)
            file.flush()
            os.fchmod(new, mode)
            moment = max(int(time.time()), int(before.st_mtime) + 1 if before is not None else 0)
            os.utime(new, (moment, moment))
    finally:
        os.close(folder)


def _stat(name: str, folder: int) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None


def collect(root: str | int, names: Iterable[str], most: int) -> tuple[dict[str, bytes], list[str]]:
    """The content of those of the named files that are there, plain files, and together no larger than `most` bytes;
    and the names of those that are there but do not fit."""
    found: dict[str, bytes] = {}
    too_large: list[str] = []
    for name in names:
        try:
            content = _read_plain(root, name, most)
        except (OSError, UnsafeName):
            continue
        if content is None:
            continue
        if len(content) > most:
            too_large.append(name)
        else:
            found[name] = content
            most -= len(content)
    return found, too_large


def _read_plain(root: str | int, name: str, most: int) -> bytes | None:
    """The file's content, of which no more than one byte past `most` is read; None for what is no plain file."""
    *folders, last = _parts(name)
    folder = open_folder(root, folders, make=False)
    try:
        # O_NONBLOCK: opening a fifo that a job left would wait for a writer for ever.
        descriptor = os.open(last, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    finally:
        os.close(folder)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        return file.read(most + 1)
