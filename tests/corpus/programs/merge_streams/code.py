"""Merging streams of events that are each sorted by time."""

import heapq
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple


class Event(NamedTuple):
    """Something at a time, in seconds."""

    time: float
    source: str
    text: str


class OutOfOrder(ValueError):
    """A stream goes back in time."""


def checked(stream: Iterable[Event]) -> Iterator[Event]:
    """The events of the stream; OutOfOrder where one is earlier than the one before it."""
    last = None
    for event in stream:
        if last is not None and event.time < last:
            raise OutOfOrder(f"{event.source} goes back from {last} to {event.time}")
        last = event.time
        yield event


def merged(streams: dict[str, Iterable[tuple[float, str]]]) -> Iterator[Event]:
    """All events by time; at the same time the streams come in their order, each in its own."""

    def events(name: str, pairs: Iterable[tuple[float, str]]) -> Iterator[Event]:
        for time, text in pairs:
            yield Event(time, name, text)

    heap: list[Any] = []
    for place, (name, pairs) in enumerate(streams.items()):
        stream = checked(events(name, pairs))
        first = next(stream, None)
        if first is not None:
            heapq.heappush(heap, (first.time, place, first, stream))
    while heap:
        _, place, event, stream = heap[0]
        yield event
        following = next(stream, None)
        if following is None:
            heapq.heappop(heap)
        else:
            heapq.heapreplace(heap, (following.time, place, following, stream))


def without_echoes(events: Iterable[Event], seconds: float) -> Iterator[Event]:
    """The events other than those whose text came less than so many seconds before, from whichever source."""
    seen: dict[str, float] = {}
    for event in events:
        before = seen.get(event.text)
        seen[event.text] = event.time
        if before is None or event.time - before >= seconds:
            yield event


def sessions(events: Iterable[Event], pause: float) -> Iterator[tuple[float, float, int]]:
    """(start, end, number of events) of each stretch without a pause that is longer."""
    start = end = None
    count = 0
    for event in events:
        if end is not None and event.time - end > pause:
            yield start, end, count
            start, count = None, 0
        if start is None:
            start = event.time
        end = event.time
        count += 1
    if count:
        yield start, end, count
