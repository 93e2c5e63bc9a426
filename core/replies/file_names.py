"""Which files of a project a model may name, to read them and to write them."""

from __future__ import annotations

import re

from treadle.core.errors import ReplyError, UnsafePath, UnsafeReply
from treadle.core.paths import check_writable, decode, encode, reaches_into

_RESERVED_BY_WINDOWS = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$"} | {f"{n}{i}" for n in ("com", "lpt") for i in "123456789"}
)
_LONGEST_PART = 255
_LONGEST_NAME = 1000
"""Bytes: what today's file systems take (NAME_MAX), and well below PATH_MAX, which counts the project's own place."""


def safe_name(name: str) -> str:
    """The portable form of a name inside the project. Raises `UnsafeReply` for one that leads out of it, into a `.git`,
    or into `.treadle`: what is in there decides what Treadle may do, and is the person's alone."""
    try:
        path = check_writable(encode(decode(name.replace("\\", "/") if re.match(r"^[\w.-]+\\", name) else name)))
    except (UnsafePath, UnicodeError) as error:
        raise UnsafeReply(f"{error}; name a file inside the project") from None
    if reaches_into(decode(path), ".treadle", "treadl~1"):
        raise UnsafeReply(f"the file name {path!r} is refused: what is in .treadle is for the person to change")
    return path


def check_new_name(path: str) -> None:
    """Raise `ReplyError` when a file that is not there yet should not be called so: some system can't have it."""
    raw = decode(path).encode("utf-8", "surrogateescape")
    if len(raw) > _LONGEST_NAME or any(len(part) > _LONGEST_PART for part in raw.split(b"/")):
        raise ReplyError(f"the file name {path[:80]!r}... is refused: it is too long for a file system")
    for part in path.split("/"):
        if ":" in part:
            raise ReplyError(f"the file name {path!r} is refused: a colon names a stream or a drive on Windows")
        if part.split(".")[0].rstrip(" ").casefold() in _RESERVED_BY_WINDOWS or part != part.rstrip(" ."):
            raise ReplyError(f"the file name {path!r} is refused: Windows can't have a file named {part!r}")
