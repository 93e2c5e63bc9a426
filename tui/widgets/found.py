"""Where words stand in rows, also where they go on from one row of a line in the next."""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Sequence

from treadle.tui.widgets.layout import Row

_BREAK = "\0"
"""What stands between two rows of a line; no row has it."""

Span = tuple[int, int]
"""Characters of a row: from the first of them, up to the one behind the last."""


class Found:
    """The places of these words in these rows, whatever their case. What is looked at is remembered."""

    def __init__(self, rows: Sequence[Row], words: str) -> None:
        self._rows = rows
        # A blank may have gone where a row was broken, and a long word may be in two.
        parts = (rf"(?: {_BREAK}?|{_BREAK})" if char == " " else re.escape(char) for char in words)
        self._words = re.compile(f"{_BREAK}?".join(parts), re.IGNORECASE) if words else None
        self._spans: dict[int, list[Span]] = {}
        self._begins: set[int] = set()

    def spans(self, place: int) -> list[Span]:
        """What of that row is to be marked."""
        self._look_at(place)
        return self._spans[place]

    def begins_at(self, place: int) -> bool:
        """Whether the words begin in that row, at least once."""
        self._look_at(place)
        return place in self._begins

    def _look_at(self, place: int) -> None:
        if place in self._spans:
            return
        line = self._rows[place].line
        begin, end = place, place + 1
        while begin and not self._rows[begin].first and self._rows[begin - 1].line is line:
            begin -= 1
        while end < len(self._rows) and not self._rows[end].first and self._rows[end].line is line:
            end += 1
        self._look_through(begin, end)

    def _look_through(self, begin: int, end: int) -> None:
        """Look at the rows of one line. A row that goes on begins with a piece that is no part of its text."""
        rows = self._rows[begin:end]
        indents = [0, *(len(row.pieces[0][0]) if row.pieces else 0 for row in rows[1:])]
        texts = [_text(row)[indent:] for row, indent in zip(rows, indents, strict=True)]
        starts = list(itertools.accumulate((len(text) + len(_BREAK) for text in texts), initial=0))
        self._spans.update((place, []) for place in range(begin, end))
        for match in self._words.finditer(_BREAK.join(texts)) if self._words else ():
            first = bisect.bisect_right(starts, match.start()) - 1
            self._begins.add(begin + first)
            for n in range(first, bisect.bisect_left(starts, match.end())):
                left = max(0, match.start() - starts[n]) + indents[n]
                right = min(len(texts[n]), match.end() - starts[n]) + indents[n]
                self._spans[begin + n].append((left, right))


def _text(row: Row) -> str:
    """What it says, without the time at its end: the line goes on behind that."""
    if row.pieces and row.pieces[-1][1] == "time":
        return "".join(text for text, _ in row.pieces[:-1]).rstrip(" ")
    return row.text
