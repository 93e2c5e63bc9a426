"""Events: what happened, one record each, and the bus that hands them to readers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from treadle.core.records import Record


class Event(Record, frozen=True, kw_only=True):
    """One thing that happened in a session. `seq` counts from 1 in each session without gaps. `parent` is the seq of
    the event that this one belongs to (a `finished` to its `started`), 0 for none. `attempt` is 0 outside of attempts.
    `data` holds plain values (what msgpack can hold)."""

    session: str
    seq: int
    time: float
    kind: str
    attempt: int = 0
    parent: int = 0
    data: dict[str, Any] = {}


class Progress(Record, frozen=True, kw_only=True):
    """How far a stage has come: shown, never logged. `total` None means that nobody knows."""

    session: str
    stage: str
    done: int
    total: int | None
    text: str


class Delta(Record, frozen=True, kw_only=True):
    """A piece of what a language model is saying just now: shown, never logged. `thinking`: of its reasoning."""

    session: str
    stage: str
    text: str
    thinking: bool = False


Item = Event | Progress | Delta
"""What readers are handed."""


class Bus:
    """Hands events, progress and deltas to readers, in the thread that published them. A reader whose output is gone (a
    closed pipe, a full disk) is handed nothing any more; the session does not end for it."""

    def __init__(self) -> None:
        self._readers: list[Callable[[Item], None]] = []
        self._lock = threading.Lock()

    def subscribe(self, reader: Callable[[Item], None]) -> Callable[[], None]:
        """Call `reader` for everything published from now on; the answer ends the subscription."""
        with self._lock:
            self._readers.append(reader)

        def unsubscribe() -> None:
            with self._lock:
                if reader in self._readers:
                    self._readers.remove(reader)

        return unsubscribe

    def publish(self, item: Item) -> None:
        """Hand the item to every reader."""
        with self._lock:
            readers = list(self._readers)
        for reader in readers:
            try:
                reader(item)
            except OSError:
                with self._lock:
                    self._readers = [other for other in self._readers if other is not reader]
