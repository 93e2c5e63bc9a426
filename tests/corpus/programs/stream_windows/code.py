"""Generators over streams that may have no end."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def chunks(items: Iterable[T], size: int, partial: bool = True) -> Iterator[list[T]]:
    """Lists of so many items; the last one may be shorter, or is left out without `partial`."""
    if size < 1:
        raise ValueError("a chunk has one item at least")
    chunk: list[T] = []
    for item in items:
        chunk.append(item)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk and partial:
        yield chunk


def windows(items: Iterable[T], size: int, step: int = 1) -> Iterator[tuple[T, ...]]:
    """Each run of so many neighbours, and from there on every `step` items."""
    window: deque[T] = deque(maxlen=size)
    wait = size
    for item in items:
        window.append(item)
        wait -= 1
        if wait == 0:
            yield tuple(window)
            wait = step


def split_when(items: Iterable[T], changes: Callable[[T, T], bool]) -> Iterator[list[T]]:
    """Runs of items, a new one wherever `changes(before, item)` says so."""
    run: list[T] = []
    for item in items:
        if run and changes(run[-1], item):
            yield run
            run = []
        run.append(item)
    if run:
        yield run


def round_robin(*streams: Iterable[T]) -> Iterator[T]:
    """One item of each stream by turns, until all are used up."""
    waiting = deque(iter(stream) for stream in streams)
    while waiting:
        stream = waiting.popleft()
        try:
            item = next(stream)
        except StopIteration:
            continue
        yield item
        waiting.append(stream)


def averages(numbers: Iterable[float], size: int) -> Iterator[float]:
    """The average of the last numbers, at most `size` of them, after each number."""
    recent: deque[float] = deque()
    total = 0.0
    for number in numbers:
        recent.append(number)
        total += number
        if len(recent) > size:
            total -= recent.popleft()
        yield total / len(recent)
