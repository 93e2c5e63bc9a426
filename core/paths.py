"""File names: the one codec for those that are not UTF-8, and the rules for those that may be written.

Everywhere in Treadle a file of the project is named by a *relative path*: a `str` with `/` between its parts,
relative to the project's root, in which each byte that is not valid UTF-8, and each `%`, is percent-encoded.
Such a name is always valid Unicode, so it can be stored, sent and printed; `decode` gives back the exact bytes.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from treadle.core.errors import UnsafePath

_CONTROLS = r"\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069"
_OBEYED = re.compile(f"[{_CONTROLS}]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_NOT_SHOWN = re.compile(rf"[{_CONTROLS}]|[^\S ]|  |^ | $")
_ESCAPE = re.compile(rb"%([0-9A-Fa-f]{2})")
_LONGEST, _LONGEST_PART = 4095, 255  # bytes of a path, and of a name in it, that Linux takes (limits.h)
_TOLD = 200  # characters of a name in a refusal


def encode(name: str | bytes | os.PathLike[str]) -> str:
    """The portable form of an operating-system file name. `decode(encode(n))` is `os.fsdecode(n)` for every n."""
    raw = os.fsencode(name)
    if raw.isascii() and b"%" not in raw:
        return raw.decode()
    text = raw.replace(b"%", b"%25").decode("utf-8", "surrogateescape")
    return "".join(f"%{ord(c) - 0xDC00:02X}" if 0xDC80 <= ord(c) <= 0xDCFF else c for c in text)


def decode(name: str) -> str:
    """The operating-system file name (with surrogate escapes, as `os` functions take it) of a portable one."""
    if "%" not in name and name.isascii():
        return name
    raw = _ESCAPE.sub(lambda m: bytes([int(m[1], 16)]), name.encode("utf-8"))
    return os.fsdecode(raw)


def shown(name: str) -> str:
    """The name as a person is shown it: quoted as git quotes it where it holds what a terminal obeys or does not tell
    apart (control characters, overrides of the writing direction, spaces at its ends or side by side), else itself."""
    if not _NOT_SHOWN.search(name):
        return name
    plain = name.encode("utf-8", "surrogatepass")
    return '"' + "".join(chr(b) if 0x20 < b < 0x7F and b not in b'"\\' else f"\\{b:03o}" for b in plain) + '"'


def shown_at(name: str, line: int) -> str:
    """The name as a person reads it, with its line from 1; of line 0, which is the whole file, the name alone."""
    return f"{shown(name)}:{line}" if line else shown(name)


def is_obeyed(text: str) -> bool:
    """Whether the text holds characters that a terminal obeys instead of showing them."""
    return bool(_OBEYED.search(text))


def on_disk(root: str | os.PathLike[str], relative: str) -> Path:
    """Where the file with this portable relative path lies below `root`."""
    return Path(root) / decode(relative)


def relative_to(root: str | os.PathLike[str], path: str | os.PathLike[str]) -> str:
    """The portable relative path of `path` below `root`. Raises `UnsafePath` when it is not below."""
    try:
        return encode(Path(path).relative_to(root).as_posix())
    except ValueError:
        raise UnsafePath(f"{os.fspath(path)!r} is not inside {os.fspath(root)!r}") from None


def check_writable(relative: str) -> str:
    """The name, normalised, when a patch may write it; raises `UnsafePath` with the reason when it may not.

    Refused: empty names, those longer than any file's, absolute ones (POSIX, drive letter or UNC), `..`, control
    characters (C0, DEL and C1: a terminal obeys them wherever the name is printed), backslashes, and any part that a
    case-insensitive or HFS+ file system would take for `.git`, at any depth.
    """
    why = _why_unsafe(relative)
    if why:
        told = relative if len(relative) <= _TOLD else f"{relative[:_TOLD]}..."
        raise UnsafePath(f"the file name {told!r} is refused: {why}")
    return "/".join(part for part in relative.split("/") if part not in ("", "."))


def normal(relative: str) -> str:
    """The one spelling of a name that a patch may write, whatever was encoded in it. Raises `UnsafePath`."""
    return check_writable(encode(decode(relative)))


# Code points that HFS+ ignores when it compares names, so ".g\u200cit" is ".git" there (CVE-2014-9390).
_IGNORED_BY_HFS = dict.fromkeys([*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF])


def _why_unsafe(relative: str) -> str | None:
    if not relative.strip("/. "):
        return "it names no file"
    raw = decode(relative)
    if len(os.fsencode(raw)) > _LONGEST or max(len(os.fsencode(part)) for part in raw.split("/")) > _LONGEST_PART:
        return "it is longer than the name of any file"
    if _CONTROL.search(raw):
        return "it holds a control character"
    if "\\" in raw:
        return "it holds a backslash; write folders with /"
    if raw.startswith(("/", "~")) or re.match(r"[A-Za-z]:", raw):
        return "it is not relative to the project"
    parts = raw.split("/")
    if ".." in parts:
        return "it climbs out of the project with .."
    if reaches_into(raw, ".git", "git~1"):
        return "it reaches into a .git folder"
    return None


def reaches_into(name: str, *folders: str) -> bool:
    """Whether any part of the name is what some file system would take for one of these folders (in small letters)."""
    plain = (part.translate(_IGNORED_BY_HFS).rstrip(". ").casefold() for part in name.split("/"))
    return any(part in folders for part in plain)
