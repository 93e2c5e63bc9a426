"""The submodules that git's index names (gitformat-index(5)), without git."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

_MODE = (0o160000).to_bytes(4, "big")
_MODE_AT, _FIXED = 24, 40  # bytes: where an entry's mode begins, and what comes before its object's name
_MOST = 1 << 28  # bytes of an index


def submodules(repository: Path, *, is_sha256: bool = False) -> Iterator[str]:
    """The folders, relative to the top, that the index in this folder of git's holds as repositories of their own; so
    much of it as can be read."""
    files = [repository / "index", *sorted(repository.glob("sharedindex.*"))]
    for file in files:
        data = _content(file)
        if _MODE in data:
            yield from _submodules(data, 32 if is_sha256 else 20)


def _submodules(data: bytes, size: int) -> Iterator[str]:
    version, count = int.from_bytes(data[4:8], "big"), int.from_bytes(data[8:12], "big")
    at, name = 12, b""
    if data[:4] != b"DIRC" or version not in (2, 3, 4):
        return
    for _ in range(count):
        begin, mode = at, data[at + _MODE_AT : at + _MODE_AT + 4]
        flags = int.from_bytes(data[at + _FIXED + size : at + _FIXED + size + 2], "big")
        at += _FIXED + size + (4 if flags & 0x4000 else 2)
        cut = 0
        if version == 4:
            cut, at = _number(data, at)
        end = data.find(b"\0", at)
        if end < 0:
            return
        name = (name[: len(name) - cut] if version == 4 else b"") + data[at:end]
        at = end + 1 if version == 4 else begin + (end - begin) // 8 * 8 + 8
        if mode == _MODE and b".." not in name.split(b"/") and not name.startswith(b"/"):
            yield os.fsdecode(name)


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number of variable length that begins there, as of an offset in a pack, and where it ends."""
    byte, at = data[at : at + 1] or b"\0", at + 1
    value = byte[0] & 0x7F
    while byte[0] & 0x80:
        byte, at = data[at : at + 1] or b"\0", at + 1
        value = (value + 1) << 7 | byte[0] & 0x7F
    return value, at


def _content(file: Path) -> bytes:
    try:
        if not stat.S_ISREG(file.stat().st_mode):  # a pipe would hang
            return b""
        with file.open("rb") as opened:
            return opened.read(_MOST)
    except OSError:
        return b""
