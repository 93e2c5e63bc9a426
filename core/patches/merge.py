"""Two changes of one text put together, where they touch different lines; nothing is guessed where they do not."""

from __future__ import annotations

import itertools

from treadle.core.patches.diff import lines_of
from treadle.core.patches.edit import Edit, edits_of
from treadle.core.patches.put_in_by_both import put_in_by_both

_MOST_LINES = 20_000


def merged(base: bytes, one: bytes, other: bytes) -> bytes | None:
    """The text `base` with both changes. None where they touch the same lines, or lines that lie side by side, and for
    what is no text. The same change on both sides is made once, be it between other empty lines; None where both put in
    the same lines in different places."""
    if any(b"\0" in content for content in (base, one, other)):
        return None
    texts = [lines_of(content) for content in (base, one, other)]
    if max(map(len, texts)) > _MOST_LINES:
        return None
    lines, *sides = texts
    own, others = (edits_of(lines, side) for side in sides)
    there = put_in_by_both(lines, own, others)
    if there is None:
        return None
    edits = sorted({*own, *others} - there)
    if any(after.start <= before.end for before, after in itertools.pairwise(edits)):
        return None
    return b"".join(_with(lines, edits))


def _with(lines: list[bytes], edits: list[Edit]) -> list[bytes]:
    result: list[bytes] = []
    at = 0
    for edit in edits:
        result += lines[at : edit.start]
        result += edit.lines
        at = edit.end
    return result + lines[at:]
