"""Reading a file of a project that somebody else has written: no link out of it is followed, nothing is waited for.

Links that stay inside are followed, by looking at names; who may write in the project, as a plugin at work, can put
others there right after. So what a name leads to is opened part by part, each from the descriptor of the folder before
it and none through a link (openat(2) with O_NOFOLLOW): what is read lies below the root, whatever happens meanwhile.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, TypeVar

from treadle.core import paths
from treadle.core.errors import UnsafePath

Answer = TypeVar("Answer")

LARGEST = 256 << 20
"""Bytes; of a larger file not all is read. A plugin that may write in the project makes one of any size in no time."""

# O_PATH asks for no more than a path does: to search the folder, not to list it.
_ON_THE_WAY = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# O_NONBLOCK: opening a FIFO for reading would wait for a writer.
_TO_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def inside(root: Path, relative: str) -> Path:
    """The file or folder of that portable name when links are followed; `root` is a real path. Raises `UnsafePath` when
    it lies outside of the root."""
    place = paths.on_disk(root, relative)
    try:
        real = place.resolve()
    except RuntimeError as error:
        raise UnsafePath(f"{relative} is a link that leads to itself") from error
    except OSError as error:
        # A link that is none any more when it is read (EINVAL), or gone.
        raise _LinkMet(relative) from error
    if not real.is_relative_to(root):
        raise UnsafePath(f"{relative} leads out of the project, to {real}; Treadle does not follow it")
    return real


def read_regular(root: Path, relative: str, most: int = -1) -> bytes:
    """The first `most` bytes (-1: all) of the file of that portable name below a real path, links inside followed.
    Raises `UnsafePath` when it leads out, is no regular file, or becomes a link meanwhile, and `OSError`, also for all
    of a file that has more than `LARGEST`."""
    with os.fdopen(_of_what_it_leads_to(root, relative, _open_regular), "rb") as file:
        return file.read(most) if most >= 0 else all_of(file, relative)


def all_of(file: BinaryIO, shown: str) -> bytes:
    """The content of a file that was opened. Raises `OSError` where it has more than `LARGEST` bytes."""
    if os.fstat(file.fileno()).st_size > LARGEST:
        raise OSError(errno.EFBIG, f"more than {LARGEST >> 20} MiB are not read", shown)
    return file.read(LARGEST)


def status(root: Path, relative: str) -> os.stat_result:
    """What stat(2) says of the file or folder of that portable name, links inside followed. Raises `UnsafePath` when it
    leads out or becomes a link meanwhile, and `OSError`."""
    return _of_what_it_leads_to(root, relative, _status)


def open_regular(root: Path, real: Path, shown: str) -> int:
    """A descriptor to read the regular file at `real`, a path below `root` in which nothing is a link; `shown` is its
    name for messages. Raises `UnsafePath` when something is, or it is no regular file, and `OSError`."""
    return _below(root, real.relative_to(root).parts, shown, _open_regular)


def _of_what_it_leads_to(root: Path, relative: str, ask: Callable[[int, str, str], Answer]) -> Answer:
    name = paths.decode(relative)
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if not name.startswith("/") and ".." not in parts:
        # Most names lead through no link, and then nothing has to be resolved.
        with suppress(_LinkMet):
            return _below(root, parts, relative, ask)
    return _below(root, inside(root, relative).relative_to(root).parts, relative, ask)


def _below(root: Path, parts: Sequence[str], shown: str, ask: Callable[[int, str, str], Answer]) -> Answer:
    """The answer of `ask` to a descriptor of the folder that holds it, its name there, and its name for messages."""
    folder = os.open(root, _ON_THE_WAY)
    try:
        for part in parts[:-1]:
            inner = _inner(folder, part, shown)
            os.close(folder)
            folder = inner
        return ask(folder, parts[-1] if parts else ".", shown)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(root.joinpath(*parts))) from error
    finally:
        os.close(folder)


def _inner(folder: int, part: str, shown: str) -> int:
    try:
        return os.open(part, _ON_THE_WAY, dir_fd=folder)
    except NotADirectoryError as error:
        if stat.S_ISLNK(os.stat(part, dir_fd=folder, follow_symlinks=False).st_mode):
            raise _LinkMet(shown) from error
        raise


def _open_regular(folder: int, name: str, shown: str) -> int:
    try:
        fd = os.open(name, _TO_READ, dir_fd=folder)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise _LinkMet(shown) from error
        raise
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise UnsafePath(f"{shown} is no regular file; only those are read")
    return fd


def _status(folder: int, name: str, shown: str) -> os.stat_result:
    facts = os.stat(name, dir_fd=folder, follow_symlinks=False)
    if stat.S_ISLNK(facts.st_mode):
        raise _LinkMet(shown)
    return facts


class _LinkMet(UnsafePath):
    """There is a link where none was."""

    def __init__(self, shown: str) -> None:
        super().__init__(f"{shown} is not read: a folder or link on the way to it changes meanwhile")
