"""Conway's Game of Life on a plane without borders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

Cell = tuple[int, int]


def parse(drawing: str) -> set[Cell]:
    """The living cells (row, column) of a drawing, in which they are O."""
    return {
        (row, column)
        for row, line in enumerate(drawing.splitlines())
        for column, mark in enumerate(line)
        if mark == "O"
    }


def neighbours(cell: Cell) -> Iterator[Cell]:
    """The eight cells around."""
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            if (down, right) != (0, 0):
                yield cell[0] + down, cell[1] + right


def step(alive: set[Cell]) -> set[Cell]:
    """The next generation: three neighbours bring a cell to life, and two or three keep it there."""
    counts = Counter(near for cell in alive for near in neighbours(cell))
    return {cell for cell, count in counts.items() if count == 3 or (count == 2 and cell in alive)}


def draw(alive: set[Cell], margin: int = 0) -> str:
    """The smallest drawing that holds all living cells, with a margin; '' when there are none."""
    if not alive:
        return ""
    rows = [row for row, _ in alive]
    columns = [column for _, column in alive]
    lines = []
    for row in range(min(rows) - margin, max(rows) + margin + 1):
        span = range(min(columns) - margin, max(columns) + margin + 1)
        lines.append("".join("O" if (row, column) in alive else "." for column in span))
    return "\n".join(lines)


def fate(alive: set[Cell], longest: int = 100) -> tuple[str, int]:
    """What becomes of the cells: ('dies', n), ('still', n), ('repeats', period) or ('unknown', longest).

    n is the generation from which on it is so; only what comes back to its place repeats.
    """
    seen = {frozenset(alive): 0}
    for generation in range(1, longest + 1):
        following = step(alive)
        if not following:
            return "dies", generation if alive else 0
        if following == alive:
            return "still", generation - 1
        if frozenset(following) in seen:
            return "repeats", generation - seen[frozenset(following)]
        seen[frozenset(following)] = generation
        alive = following
    return "unknown", longest
