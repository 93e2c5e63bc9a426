"""Find the first integer for which a condition holds, when it holds for all that follow: bisection without a list.

`bisect` searches a sequence; this searches any range by asking: the first bad revision, the smallest buffer that is
large enough, the longest prefix that still fits.

Thread safety: safe; there is no state besides what `holds` keeps.

Words: binary, search, bisect, partition, first, predicate, monotone, threshold.
"""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["binary_search_by"]


def binary_search_by(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """The smallest n in `low <= n < high` with `holds(n)`; `high` when there is none.

    `holds` must be false up to some point and true from there on; it is asked at most ceil(log2(high - low + 1)) times,
    never twice for the same n and never outside of the range. When it is not monotone the answer n is still a border:
    it holds at n (or n is `high`) and not at n - 1 (or n is `low`). Raises `ValueError` when `high < low`; an error of
    `holds` passes through.

    >>> binary_search_by(0, 1000, lambda n: n * n >= 200)
    15
    >>> binary_search_by(0, 10, lambda n: False)
    10
    """
    if high < low:
        raise ValueError(f"the range is upside down: {low} to {high}")
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low
