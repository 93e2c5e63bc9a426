"""Whether a folder still holds what it held: a mark from the files' sizes and times, a digest from all they hold."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

_PIECE = 1 << 20


def mark(folder: Path) -> str:
    """Stands for the files by size and time, without reading any. It takes the time of the last change too, which
    nobody can set back. Raises `OSError`."""
    digest = hashlib.sha256()
    for name, entry in _entries(folder):
        status = entry.stat(follow_symlinks=False)
        times = f"{status.st_mode}:{status.st_size}:{status.st_mtime_ns}:{status.st_ctime_ns}"
        digest.update(f"{name}\0{times}\0".encode(errors="surrogateescape"))
    return digest.hexdigest()


def content_digest(folder: Path, leave_out: frozenset[str] = frozenset()) -> str:
    """Stands for all that the files hold, wherever and whenever they were written; folders and files whose names match
    one of `leave_out` (`*.egg-info`) do not count. Raises `OSError`."""
    digest = hashlib.sha256()
    for name, entry in _entries(folder, leave_out):
        digest.update(f"{name}\0".encode(errors="surrogateescape"))
        if entry.is_symlink():
            digest.update(b"link\0" + os.fsencode(Path(entry.path).readlink()))
        elif entry.is_file():
            digest.update(_of_file(Path(entry.path)))
    return digest.hexdigest()


def file_digest(file: Path) -> str:
    """The SHA-256 of one file. Raises `OSError`."""
    return _of_file(file).hex()


def _of_file(file: Path) -> bytes:
    digest = hashlib.sha256()
    with file.open("rb") as opened:
        while piece := opened.read(_PIECE):
            digest.update(piece)
    return digest.digest()


def _entries(folder: Path, leave_out: frozenset[str] = frozenset()) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """All that lies below the folder but for the folders themselves, in an order that depends on the names alone."""
    waiting = [""]
    while waiting:
        below = waiting.pop()
        with os.scandir(folder / below) as entries:
            for entry in sorted(entries, key=lambda each: each.name):
                if any(fnmatchcase(entry.name, pattern) for pattern in leave_out):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(f"{below}{entry.name}/")
                else:
                    yield f"{below}{entry.name}", entry
