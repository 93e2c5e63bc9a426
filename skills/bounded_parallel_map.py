"""Apply a function to many items in threads, results in order, with a bound on what is started ahead.

Unlike `Executor.map`, which (before Python 3.14) reads the whole input at once, this reads only as far ahead as its
bound, so that endless or large inputs work and a slow consumer is not buried in results.

Thread safety: `function` runs in several threads at once and must bear that; the iterator itself must be used by one
thread at a time, and `items` is read in that thread.

Words: parallel, map, threads, pool, concurrent, bounded, window, workers, ordered.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

__all__ = ["bounded_parallel_map"]

T = TypeVar("T")
R = TypeVar("R")


def bounded_parallel_map(
    function: Callable[[T], R], items: Iterable[T], *, workers: int, ahead: int | None = None
) -> Iterator[R]:
    """`function(item)` for each item, in the items' order, by `workers` threads. At most `ahead` items (default: twice
    the workers) are started or done and not yet asked for.

    Raises the error of the first item, in order, whose call failed, after the results of those before it; an error of
    `items` itself as soon as it occurs. Then, and when the iterator is closed early, calls not begun are dropped and
    those running are waited for. A `StopIteration` of `function` arrives as `RuntimeError` (PEP 479). `ValueError` at
    once when `workers` is below 1 or `ahead` below `workers`.

    >>> list(bounded_parallel_map(lambda n: n * n, range(5), workers=2))
    [0, 1, 4, 9, 16]
    """
    bound = 2 * workers if ahead is None else ahead
    if workers < 1:
        raise ValueError(f"workers must be at least 1, not {workers}")
    if bound < workers:
        raise ValueError(f"ahead must be at least workers ({workers}), not {bound}")
    return _results(function, iter(items), workers, bound)


def _results(function: Callable[[T], R], items: Iterator[T], workers: int, bound: int) -> Iterator[R]:
    pool = ThreadPoolExecutor(workers)
    pending: deque[Future[R]] = deque()
    try:
        pending.extend(pool.submit(function, item) for item in islice(items, bound))
        while pending:
            result = pending.popleft().result()
            # Topped up only when the next result is asked for, and before it is waited for.
            yield result
            pending.extend(pool.submit(function, item) for item in islice(items, 1))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
