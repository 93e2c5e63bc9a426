"""An outline that is too long, cut down to the lines that a task is likely to be about."""

from __future__ import annotations

import re
from collections.abc import Sequence

from treadle.core.models.tokens import estimate
from treadle.plugins.agents.words import words_of

_NUMBERS = 9
"""Characters in which outlines put the numbers of lines."""
_DEFINITION = re.compile(r" {2,}(?:class|(?:async )?def) ")


def cut(outline: str, wanted: frozenset[str], most: int) -> str | None:
    """The outline in no more than so many tokens: its first line, then as many of the others as fit, in their order.
    A module's own sentence is kept before all, then lines with `wanted` words, then functions and classes, outer ones
    before inner ones; and with each line the class that it is in. What is left out is counted in a last line. None when
    the first line does not fit, with what must be said of the others."""
    if estimate(outline) <= most:
        return outline
    head, *lines = outline.split("\n")
    note = "  ({} more lines: ask for its outline)"
    # Each line is reckoned by itself, rounded up: so the sum is never too small.
    left = most - _cost(head) - _cost(note.format(len(lines)))
    if left < 0:
        return None
    around = _around(lines)
    hits = [len(wanted.intersection(words_of(line))) for line in lines]
    kept: set[int] = set()

    def place(index: int) -> tuple[bool, int, bool, int, int]:
        line = lines[index]
        says = line.startswith('"""')
        return not says, -hits[index], not _is_definition(line), _depth(line), index

    for index in sorted(range(len(lines)), key=place):
        new = {each for each in (*around[index], index) if each not in kept}
        if (cost := sum(_cost(lines[each]) for each in new)) <= left:
            left -= cost
            kept |= new
    shown = [line for index, line in enumerate(lines) if index in kept]
    return "\n".join((head, *shown, note.format(len(lines) - len(shown))))


def _cost(line: str) -> int:
    return estimate(f"{line}\n")


def _is_definition(line: str) -> bool:
    return _DEFINITION.match(line, _NUMBERS) is not None


def _depth(line: str) -> int:
    """How many blanks the line begins with, after its numbers."""
    rest = line[_NUMBERS:]
    return len(rest) - len(rest.lstrip())


def _around(lines: Sequence[str]) -> list[tuple[int, ...]]:
    """For each line those that it is in, the outermost first."""
    found: list[tuple[int, ...]] = []
    open_: list[int] = []
    for index, line in enumerate(lines):
        depth = _depth(line)
        while open_ and _depth(lines[open_[-1]]) >= depth:
            open_.pop()
        found.append(tuple(open_))
        if _is_definition(line):
            open_.append(index)
    return found
