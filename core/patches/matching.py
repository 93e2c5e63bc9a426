"""Which lines of two texts are the same ones, in bounded time: whoever writes a text must not decide how long it takes
to be shown.

What `difflib` does is quadratic at worst. Its work is counted before it is done; where all lines together would take
too long, those that are everywhere (empty ones, brackets) are left out, and where that does too, nothing is told apart.
"""

from __future__ import annotations

import contextlib
import difflib
import itertools
from collections.abc import Iterator, Sequence
from typing import Literal

MOST_STEPS = 2_000_000
"""Comparisons of lines to find what two texts have in common, which take a second."""
MOST_LINES = 500_000
"""Lines of one text that are told apart; of more, a table for each would take as much memory as time."""

Tag = Literal["equal", "replace", "delete", "insert"]
Opcode = tuple[Tag, int, int, int, int]
"""What `difflib` calls so: `equal` or something else, from a line to another, is those of the other text."""


def opcodes(old: Sequence[bytes], new: Sequence[bytes]) -> list[Opcode]:
    """How the new lines come of the old ones, in order. Where finding out more would take too long, all that is between
    the first line that is another and the last one is one `replace`."""
    if max(len(old), len(new)) <= MOST_LINES:
        for autojunk in (False, True):
            with contextlib.suppress(_TooLong):
                return _Matcher(old, new, autojunk=autojunk).get_opcodes()
    start = alike(old, new)
    end = alike(old[: start - 1 if start else None : -1], new[: start - 1 if start else None : -1])
    until, to = len(old) - end, len(new) - end
    parts: tuple[Opcode, ...] = (
        ("equal", 0, start, 0, start),
        ("replace", start, until, start, to),
        ("equal", until, len(old), to, len(new)),
    )
    return [part for part in parts if part[1] < part[2] or part[3] < part[4]]


def grouped(codes: list[Opcode], context: int) -> Iterator[list[tuple[str, int, int, int, int]]]:
    """The opcodes in groups with so many lines of context, as `difflib` makes them."""
    yield from _Told(codes).get_grouped_opcodes(context)


def alike(old: Sequence[bytes], new: Sequence[bytes]) -> int:
    """How many lines are the same at their beginnings."""
    return next((i for i, (x, y) in enumerate(zip(old, new, strict=False)) if x != y), min(len(old), len(new)))


class _TooLong(Exception):
    pass


class _Matcher(difflib.SequenceMatcher[bytes]):
    """Looks through all that may be alike again for each part that it finds: it raises `_TooLong` before it has done so
    too often."""

    def __init__(self, old: Sequence[bytes], new: Sequence[bytes], *, autojunk: bool) -> None:
        super().__init__(None, old, new, autojunk=autojunk)
        places: dict[bytes, list[int]] = vars(self)["b2j"]  # without those that are left out
        self._upto = [0, *itertools.accumulate(1 + len(places.get(line, ())) for line in old)]
        self._steps = 0

    def find_longest_match(
        self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None
    ) -> difflib.Match:
        """As it is, with the steps counted that this takes."""
        self._steps += self._upto[-1 if ahi is None else ahi] - self._upto[alo]
        if self._steps > MOST_STEPS:
            raise _TooLong
        return super().find_longest_match(alo, ahi, blo, bhi)


class _Told(difflib.SequenceMatcher[bytes]):
    """One that is told what it would find."""

    def __init__(self, codes: list[Opcode]) -> None:
        super().__init__(None, (), ())
        self._codes = codes

    def get_opcodes(self) -> list[Opcode]:
        """As they were told."""
        return self._codes
