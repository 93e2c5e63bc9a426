"""Two changes of one text put together, where they touch different lines; nothing is guessed where they do not."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from treadle.core.patches.diff import lines_of
from treadle.core.patches.matching import opcodes

_MOST_LINES = 20_000


@dataclass(frozen=True, order=True)
class _Edit:
    """The lines from `start` to `end` of the text become these."""

    start: int
    end: int
    lines: tuple[bytes, ...]


def merged(base: bytes, one: bytes, other: bytes) -> bytes | None:
    """The text `base` with both changes. None where they touch the same lines, or lines that lie side by side, and for
    what is no text. The same change on both sides is made once."""
    if any(b"\0" in content for content in (base, one, other)):
        return None
    lines = lines_of(base)
    sides = [_edits(lines, lines_of(content)) for content in (one, other)]
    if None in sides:
        return None
    edits = sorted({edit for side in sides for edit in side or ()})
    if any(after.start <= before.end for before, after in itertools.pairwise(edits)):
        return None
    result: list[bytes] = []
    at = 0
    for edit in edits:
        result += lines[at : edit.start]
        result += edit.lines
        at = edit.end
    return b"".join(result + lines[at:])


def _edits(before: list[bytes], after: list[bytes]) -> list[_Edit] | None:
    if max(len(before), len(after)) > _MOST_LINES:
        return None
    codes = opcodes(before, after)
    return [_Edit(i1, i2, tuple(after[j1:j2])) for tag, i1, i2, j1, j2 in codes if tag != "equal"]
