"""Events: what happened, one record each, and the bus that hands them to readers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import msgspec

from treadle.core.errors import LogFailed
from treadle.core.records import Record


class Event(Record, frozen=True, kw_only=True):
    """One thing that happened in a session. `seq` counts from 1 in each session, without gaps but for those that a fork
    lacks. `parent` is the seq of the event that this one belongs to (a `finished` to its `started`), 0 for none.
    `attempt` is 0 outside of attempts. `data` holds plain values (what msgpack can hold)."""

    session: str
    seq: int
    time: float
    kind: str
    attempt: int = 0
    parent: int = 0
    data: dict[str, Any] = {}


def held(event: Event, name: str, kind: Any) -> Any:
    """What an event holds under that name, as what it was when it was logged. Raises `LogFailed` where this version of
    Treadle does not know the like of it."""
    try:
        return msgspec.convert(event.data[name], kind)
    except (KeyError, msgspec.ValidationError) as error:
        raise LogFailed(
            f"the {name} in event {event.seq} ({event.kind}) of session {event.session} can't be read: {error}. "
            "Another version of Treadle has logged it; go on with that one"
        ) from error


TESTS = "tests"
"""What is counted in a run of tests."""


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


class Printed(Record, frozen=True, kw_only=True):
    """The end of what a job of a stage has printed so far, stdout and stderr as they came, in place of what was told of
    it before: shown, never logged. `left_out` counts the lines before it."""

    session: str
    stage: str
    job: str
    text: str
    left_out: int = 0


Item = Event | Progress | Delta | Printed
"""What readers are handed."""

Reader = Callable[[Item], None]


class Bus:
    """Hands events, progress and deltas to readers, in the thread that published them, and what jobs print to those who
    watch. A reader whose output is gone (a closed pipe, a full disk) is handed nothing any more; the session does not
    end for it."""

    def __init__(self) -> None:
        self._readers: list[Reader] = []
        self._watching: list[Reader] = []
        self._lock = threading.Lock()

    def subscribe(self, reader: Reader, *, watching: bool = False) -> Callable[[], None]:
        """Call `reader` for everything published from now on, for what jobs print (`Printed`) where it is `watching`;
        the answer ends the subscription."""
        with self._lock:
            self._readers.append(reader)
            if watching:
                self._watching.append(reader)

        def unsubscribe() -> None:
            self._drop(reader)

        return unsubscribe

    @property
    def is_watched(self) -> bool:
        """Whether anybody wants to know what jobs print while they run."""
        return bool(self._watching)

    def publish(self, item: Item) -> None:
        """Hand the item to every reader that wants its kind."""
        with self._lock:
            readers = list(self._watching if isinstance(item, Printed) else self._readers)
        for reader in readers:
            try:
                reader(item)
            except OSError:
                self._drop(reader)

    def _drop(self, reader: Reader) -> None:
        # By equality: a bound method is another object each time that it is named.
        with self._lock:
            self._readers = [other for other in self._readers if other != reader]
            self._watching = [other for other in self._watching if other != reader]
