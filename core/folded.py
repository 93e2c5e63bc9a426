"""Lines of which a stranger decides how many there are: the first ones, and how many more."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

MOST = 10


def folded(lines: Iterable[str], rest: str, most: int = MOST) -> tuple[str, ...]:
    """The first `most` lines, and in the place of all others one that counts them: `and 300 REST`."""
    each = iter(lines)
    first = tuple(islice(each, most))
    more = sum(1 for _ in each)
    return (*first, f"and {more} {rest}") if more else first
