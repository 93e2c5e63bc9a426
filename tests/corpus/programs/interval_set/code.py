"""A set of numbers that is kept as intervals, for example of pages that were read."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator


class IntervalSet:
    """Whole numbers as sorted intervals, start included and end not, of which no two touch."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(list(zip(self._starts, self._ends, strict=True)))

    def __len__(self) -> int:
        return sum(end - start for start, end in self)

    def __contains__(self, number: int) -> bool:
        place = bisect_right(self._starts, number) - 1
        return place >= 0 and number < self._ends[place]

    def add(self, start: int, end: int) -> None:
        """Take the numbers from start to before end in; ValueError when end is before start."""
        if end < start:
            raise ValueError(f"{end} is before {start}")
        if start == end:
            return
        first = bisect_left(self._ends, start)
        last = bisect_right(self._starts, end)
        if first < last:
            start = min(start, self._starts[first])
            end = max(end, self._ends[last - 1])
        self._starts[first:last] = [start]
        self._ends[first:last] = [end]

    def remove(self, start: int, end: int) -> None:
        """Take the numbers from start to before end out."""
        if end <= start:
            return
        kept = []
        for own_start, own_end in self:
            if own_start < start:
                kept.append((own_start, min(own_end, start)))
            if own_end > end:
                kept.append((max(own_start, end), own_end))
        self._starts = [pair[0] for pair in kept]
        self._ends = [pair[1] for pair in kept]

    def gaps(self, start: int, end: int) -> list[tuple[int, int]]:
        """The intervals between start and end that aren't in the set."""
        found = []
        at = start
        for own_start, own_end in self:
            if own_start >= end:
                break
            if own_start > at:
                found.append((at, own_start))
            at = max(at, own_end)
        if at < end:
            found.append((at, end))
        return found
