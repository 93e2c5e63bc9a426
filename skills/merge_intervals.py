"""Merge overlapping and touching half-open intervals into the fewest that cover the same points.

Thread safety: safe; there is no state.

Words: interval, range, merge, overlap, union, span, time, coalesce, coverage.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, TypeVar

__all__ = ["merge_intervals"]


class _Ordered(Protocol):
    def __lt__(self, other: Any, /) -> bool: ...
    def __le__(self, other: Any, /) -> bool: ...


B = TypeVar("B", bound=_Ordered)


def merge_intervals(intervals: Iterable[tuple[B, B]]) -> list[tuple[B, B]]:
    """Sorted intervals `start <= x < end` with gaps between them, which cover exactly what the given ones cover. Empty
    intervals (start equals end) cover nothing and vanish. Bounds can be anything with an order: numbers, times,
    versions. O(n log n).

    Raises `ValueError` when an interval ends before it starts, or when its bounds have no order (a NaN).

    >>> merge_intervals([(5, 8), (1, 3), (3, 4), (7, 9), (2, 2)])
    [(1, 4), (5, 9)]
    """
    filled: list[tuple[B, B]] = []
    for start, end in intervals:
        if not start <= end:
            raise ValueError(f"the interval from {start!r} to {end!r} ends before it starts, or has no order")
        if start < end:
            filled.append((start, end))
    filled.sort(key=lambda interval: interval[0])
    merged: list[tuple[B, B]] = []
    for start, end in filled:
        if merged and start <= merged[-1][1]:
            if merged[-1][1] < end:
                merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged
