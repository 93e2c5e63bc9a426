"""Reading a file of a project that somebody else has written: no link out of it is followed, nothing is waited for."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from treadle.core import paths
from treadle.core.errors import UnsafePath


def inside(root: Path, relative: str) -> Path:
    """The file or folder of that portable name when links are followed; `root` is a real path. Raises `UnsafePath` when
    it lies outside of the root."""
    place = paths.on_disk(root, relative)
    try:
        real = place.resolve()
    except RuntimeError as error:
        raise UnsafePath(f"{relative} is a link that leads to itself") from error
    if not real.is_relative_to(root):
        raise UnsafePath(f"{relative} leads out of the project, to {real}; Treadle does not follow it")
    return real


def read_regular(place: Path, relative: str, most: int = -1) -> bytes:
    """The first `most` bytes (-1: all) of the file at a real path; `relative` is its name for messages. Raises
    `UnsafePath` when it is no regular file, and `OSError`."""
    # O_NONBLOCK: opening a FIFO for reading would wait for a writer.
    fd = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise UnsafePath(f"{relative} is no regular file; only those are read")
    with os.fdopen(fd, "rb") as file:
        return file.read(most)
