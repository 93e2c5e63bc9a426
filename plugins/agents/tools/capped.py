"""Long answers, cut down to their beginning and their end."""

from __future__ import annotations

import re
from collections.abc import Sequence

from treadle.core.counting import counted
from treadle.core.redaction import shown_by_line

MOST = 12_000
"""Characters of an answer: some 3,000 tokens."""
_LINE = 500
"""Characters of a line: what is longer was not written by hand."""


def capped(text: str, more: str, most: int = MOST) -> str:
    """The text with at most about `most` characters: its first two thirds, its last third, and a line between them that
    says how much is left out and, by `more`, how to see it. Before it is cut secrets are taken out of it: a part of one
    has no shape by which it is known."""
    if len(text) <= most:
        return text
    text = shown_by_line(text)
    head, tail = text[: most * 2 // 3], text[-(most // 3) :]
    # Whole lines, unless a line is as long as all that may be shown.
    head = head[: head.rfind("\n") + 1] or head
    tail = tail[tail.find("\n") + 1 :] or tail
    left_out = text[len(head) : len(text) - len(tail)]
    lines = left_out.count("\n")
    how_much = f"{counted(lines, 'line')}, " if lines else ""
    how_much += counted(len(left_out), "character")
    return f"{head.rstrip()}\n[... {how_much} left out; {more} ...]\n{tail}"


def numbered(lines: Sequence[str], start: int, most: int = MOST) -> str:
    """Lines with their numbers, the first being `start`; where they are too many, those in the middle are left out."""
    shown = [f"{number:>5}  {clipped(line)}" for number, line in enumerate(lines, start)]
    if sum(map(len, shown)) + len(shown) <= most:
        return "\n".join(shown)
    head, tail = _fitting(shown, most * 2 // 3), _fitting(shown[::-1], most // 3)
    first, last = start + head, start + len(shown) - tail - 1
    gap = f"[... lines {first} to {last} left out; read them with start={first} and end={last} ...]"
    return "\n".join([*shown[:head], gap, *shown[len(shown) - tail :]])


def _fitting(lines: Sequence[str], most: int) -> int:
    """How many of the first lines have at most that many characters together; one at least."""
    length = 0
    for count, line in enumerate(lines):
        length += len(line) + 1
        if length > most:
            return max(count, 1)
    return len(lines)


def clipped(line: str, most: int = _LINE) -> str:
    """The line, cut where it is too long."""
    return line if len(line) <= most else f"{line[:most]} [... {counted(len(line) - most, 'character')} left out]"


def stable(text: str, root: str) -> str:
    """What a process said, without what differs from run to run: where the project and the job's folder lie, how long
    tests took, where objects lie in memory."""
    text = re.sub(r'"/[^"\n]*/script\.py"', '"script.py"', text)
    text = re.sub(rf"(?<![\w./-]){re.escape(root)}/", "", text)
    text = re.sub(rf"(?<![\w./-]){re.escape(root)}(?![\w/-])", ".", text)
    text = re.sub(r" in \d+\.\d+s(?: \(\d+:\d\d:\d\d\))?", "", text)
    return re.sub(r"\b0x[0-9a-f]{6,}\b", "0x...", text)
