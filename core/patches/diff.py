"""A patch as text, in git's own form: what is shown to the person is what `git apply` takes.

The format is that of git's `diff-format` and `git-apply` manuals; a binary file is a `GIT binary patch` with one
`literal` hunk (zlib, then base 85 in lines of at most 52 bytes, `builtin/apply.c`).
"""

from __future__ import annotations

import base64
import hashlib
import os
import zlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

from treadle.core import paths
from treadle.core.patches.matching import alike, grouped, opcodes

if TYPE_CHECKING:
    from treadle.core.records import FileChange

_SHOWN = 10
CONTEXT = 3
_NOTHING = b"0" * 40


class Before(Protocol):
    """What a diff asks of the files as they were: a `Tree` answers it."""

    def exists(self, relative: str) -> bool: ...

    def read(self, relative: str) -> bytes: ...

    def executable(self, relative: str) -> bool: ...


def diff_text(changes: Iterable[FileChange], before: Before) -> str:
    """The changes as one unified diff. Bytes that are not UTF-8 are surrogate escapes: encode with
    `("utf-8", "surrogateescape")` for the exact patch, with `("utf-8", "replace")` to show it."""
    return b"".join(_file_diff(change, before) for change in changes).decode("utf-8", "surrogateescape")


def _file_diff(change: FileChange, before: Before) -> bytes:
    existed = before.exists(change.path)
    old = before.read(change.path) if existed else None
    new = change.content
    old_mode = b"100755" if before.executable(change.path) else b"100644"
    keeps = change.executable is None
    new_mode = old_mode if keeps and existed else b"100755" if change.executable else b"100644"
    if old is None and new is None:
        return b""
    head = _header(change.path, old, new, old_mode, new_mode)
    body = b"" if old == new else _body(change.path, old, new)
    return b"".join((*head, body)) if len(head) > 1 or body else b""


def _header(path: str, old: bytes | None, new: bytes | None, old_mode: bytes, new_mode: bytes) -> list[bytes]:
    lines = [b"diff --git %s %s\n" % (_quoted("a/", path), _quoted("b/", path))]
    if old is None:
        lines.append(b"new file mode %s\n" % new_mode)
    elif new is None:
        lines.append(b"deleted file mode %s\n" % old_mode)
    elif old_mode != new_mode:
        lines += [b"old mode %s\n" % old_mode, b"new mode %s\n" % new_mode]
    return lines


def _body(path: str, old: bytes | None, new: bytes | None) -> bytes:
    before, after = old or b"", new or b""
    index = b"index %s..%s\n" % (_blob_id(old), _blob_id(new))
    if b"\0" in before or b"\0" in after:
        return index + b"GIT binary patch\n" + _literal(after) + _literal(before)
    hunks = b"".join(_hunks(before, after))
    if not hunks:
        return index
    names = (
        b"/dev/null" if old is None else _named("a/", path),
        b"/dev/null" if new is None else _named("b/", path),
    )
    # Git wants the whole ids for what is binary only, and a line should fit into a terminal.
    short = b"index %s..%s\n" % (_blob_id(old)[:_SHOWN], _blob_id(new)[:_SHOWN])
    return short + b"--- %s\n+++ %s\n" % names + hunks


def _hunks(before: bytes, after: bytes) -> Iterator[bytes]:
    a, b = lines_of(before), lines_of(after)
    # What is alike at both ends is left out of the comparison.
    start = alike(a, b)
    end = alike(a[start:][::-1], b[start:][::-1])
    start, end = max(0, start - CONTEXT), max(0, end - CONTEXT)
    a_middle, b_middle = a[start : len(a) - end], b[start : len(b) - end]
    for group in grouped(opcodes(a_middle, b_middle), CONTEXT):
        i1, i2, j1, j2 = group[0][1], group[-1][2], group[0][3], group[-1][4]
        yield b"@@ -%s +%s @@\n" % (_range(start + i1, i2 - i1), _range(start + j1, j2 - j1))
        for tag, from_a, to_a, from_b, to_b in group:
            if tag == "equal":
                yield from (_line(b" ", line) for line in a_middle[from_a:to_a])
            else:
                yield from (_line(b"-", line) for line in a_middle[from_a:to_a])
                yield from (_line(b"+", line) for line in b_middle[from_b:to_b])


def lines_of(content: bytes) -> list[bytes]:
    """Split at LF alone: a CR belongs to its line."""
    parts = content.split(b"\n")
    lines = [part + b"\n" for part in parts[:-1]]
    return [*lines, parts[-1]] if parts[-1] else lines


def _range(start: int, length: int) -> bytes:
    if length == 1:
        return b"%d" % (start + 1)
    return b"%d,%d" % (start + 1 if length else start, length)


def _line(sign: bytes, line: bytes) -> bytes:
    return sign + line if line.endswith(b"\n") else sign + line + b"\n\\ No newline at end of file\n"


def _literal(content: bytes) -> bytes:
    packed = zlib.compress(content)
    rows = []
    for at in range(0, len(packed), 52):
        row = packed[at : at + 52]
        length = chr(len(row) + 64 if len(row) <= 26 else len(row) + 70).encode()
        rows.append(length + base64.b85encode(row, pad=True) + b"\n")
    return b"literal %d\n" % len(content) + b"".join(rows) + b"\n"


def _blob_id(content: bytes | None) -> bytes:
    if content is None:
        return _NOTHING
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest().encode()


def _named(side: str, path: str) -> bytes:
    """The name on a `---` or `+++` line; git ends one that holds a space with a tab, so that its end is known."""
    name = _quoted(side, path)
    return name + b"\t" if b" " in name and not name.startswith(b'"') else name


def _quoted(side: str, path: str) -> bytes:
    raw = os.fsencode(paths.decode(path))
    if not any(byte < 0x20 or byte in b'"\\\x7f' for byte in raw) and _is_shown(raw):
        return side.encode() + raw
    escaped = (b"%c" % byte if 0x20 <= byte < 0x7F and byte not in b'"\\' else b"\\%03o" % byte for byte in raw)
    return b'"' + side.encode() + b"".join(escaped) + b'"'


def _is_shown(raw: bytes) -> bool:
    """Whether the name can stand as it is: it is UTF-8, and no terminal obeys a part of it."""
    try:
        return not paths.is_obeyed(raw.decode())
    except UnicodeDecodeError:
        return False
