"""What one change does to the lines of a text, place by place."""

from __future__ import annotations

from dataclasses import dataclass

from treadle.core.patches.matching import opcodes


@dataclass(frozen=True, order=True)
class Edit:
    """The lines from `start` to `end` of the text become these."""

    start: int
    end: int
    lines: tuple[bytes, ...]

    @property
    def adds(self) -> bool:
        """Whether lines come in, and not only others in the place of some."""
        return len(self.lines) > self.end - self.start

    @property
    def code(self) -> tuple[bytes, ...]:
        """Its lines without the empty ones, by which what it puts in is known again."""
        return tuple(line.rstrip() for line in self.lines if line.strip())


def edits_of(before: list[bytes], after: list[bytes]) -> list[Edit]:
    """The edits, in order. Lines that could as well be said to come in further up do so as far up as can be: the same
    lines in the same place are the same edit, whatever else changes."""
    edits: list[Edit] = []
    for tag, i1, i2, j1, j2 in opcodes(before, after):
        if tag == "insert":
            above = edits[-1].end + 1 if edits else 0
            edits.append(_as_far_up(before, i1, after[j1:j2], above))
        elif tag != "equal":
            edits.append(Edit(i1, i2, tuple(after[j1:j2])))
    return edits


def _as_far_up(before: list[bytes], at: int, lines: list[bytes], above: int) -> Edit:
    moved = 0
    while at - moved > above and before[at - moved - 1] == lines[-1 - moved % len(lines)]:
        moved += 1
    turn = moved % len(lines)
    return Edit(at - moved, at - moved, (*lines[len(lines) - turn :], *lines[: len(lines) - turn]))
