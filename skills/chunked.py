"""Cut any iterable into tuples of a fixed size, the last one shorter, reading no further than asked.

Thread safety: the iterator must be used by one thread at a time, as any generator.

Words: chunk, batch, batched, group, split, iterate, page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

__all__ = ["chunked"]

T = TypeVar("T")


def chunked(items: Iterable[T], size: int, *, strict: bool = False) -> Iterator[tuple[T, ...]]:
    """Tuples of `size` items each, in order; no empty one. Reads only what the next chunk needs, so it works on endless
    iterables.

    Raises `ValueError` at once when `size` is below 1, and with `strict` when the last chunk is short (after the full
    ones were given). An error of `items` passes through; what was read for the unfinished chunk is lost.

    >>> list(chunked("abcdefg", 3))
    [('a', 'b', 'c'), ('d', 'e', 'f'), ('g',)]
    >>> list(chunked([], 3))
    []
    """
    # The check lives outside of the generator, whose body does not run before the first next().
    if size < 1:
        raise ValueError(f"size must be at least 1, not {size}")
    return _chunks(iter(items), size, strict)


def _chunks(items: Iterator[T], size: int, strict: bool) -> Iterator[tuple[T, ...]]:
    while chunk := tuple(islice(items, size)):
        if strict and len(chunk) < size:
            raise ValueError(f"the last chunk has {len(chunk)} items, not {size}")
        yield chunk
