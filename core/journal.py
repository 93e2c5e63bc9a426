"""What a session has done, so that nothing is done twice: durable effects over the event log.

The loop is run from its beginning each time a session goes on. Every step that matters has a key which is the same in
each run, and its outcome is in the log: what is finished is read back instead of done again, what was only started is
done again, and what was logged once is not logged twice. So a run that is killed anywhere and resumed ends as an
undisturbed one, as long as the loop and the plugins decide by what they are given.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar

import msgspec

from treadle.core.errors import LogFailed, StoreError
from treadle.core.events import Bus, Event, held

T = TypeVar("T")


class Log(Protocol):
    """The part of the event log that a journal needs; `core.store.Store` is one."""

    def append(
        self,
        session: str,
        kind: str,
        data: dict[str, Any],
        *,
        attempt: int = 0,
        parent: int = 0,
    ) -> Event: ...

    def events(self, session: str, after: int = 0) -> Iterable[Event]: ...


class Journal:
    """One session's durable effects. Safe to use from the session's thread and its stages' threads."""

    def __init__(self, log: Log, session: str, bus: Bus, recorded: Iterable[Event] = ()) -> None:
        """`recorded` are effects of another session, whose results are taken where this one would do the same."""
        self._recorded = {(event.kind, str(event.data["key"])): event for event in recorded}
        self._log = log
        self.session = session
        self._bus = bus
        self._lock = threading.RLock()
        self._by_key: dict[tuple[str, str], Event] = {}
        self._latest: dict[str, Event] = {}
        self.attempt = 0
        for event in log.events(session):
            self._index(event)

    def _index(self, event: Event) -> None:
        self._latest[event.kind] = event
        key = event.data.get("key")
        if isinstance(key, str):
            self._by_key[event.kind, key] = event

    def find(self, kind: str, key: str) -> Event | None:
        """The logged event of that kind and key, None when there is none yet."""
        with self._lock:
            return self._by_key.get((kind, key))

    @property
    def has_begun(self) -> bool:
        """Whether the session was at work before: anything beyond its creation is in the log."""
        with self._lock:
            return bool(self._latest.keys() - {"session.created"})

    def jobs_by_key(self) -> dict[str, int]:
        """The batches of jobs that were started, by their keys, and how many jobs each held."""
        with self._lock:
            return {key: int(e.data["jobs"]) for (kind, key), e in self._by_key.items() if kind == "execute.started"}

    def all_of(self, kind: str) -> tuple[Event, ...]:
        """The logged events of that kind that have a key, in order."""
        with self._lock:
            return tuple(event for (each, _), event in self._by_key.items() if each == kind)

    def latest(self, kind: str) -> Event | None:
        """The last logged event of that kind, None when there is none yet."""
        with self._lock:
            return self._latest.get(kind)

    def append(self, kind: str, data: dict[str, Any], *, parent: int = 0) -> Event:
        """Log something that happened now, whatever was logged before, and hand it to the readers. Raises `LogFailed`
        where it can't be logged."""
        with self._lock:
            try:
                event = self._log.append(self.session, kind, data, attempt=self.attempt, parent=parent)
            except StoreError as error:
                raise LogFailed(str(error)) from error
            self._index(event)
        self._bus.publish(event)
        return event

    def once(self, kind: str, key: str, data: dict[str, Any], *, parent: int = 0, after: int = 0) -> Event:
        """Log it unless an event of that kind and key is in the log already, `after` the event of that seq."""
        with self._lock:
            found = self.find(kind, key)
            if found is not None and found.seq > after:
                return found
            return self.append(kind, {**data, "key": key}, parent=parent)

    def answered(self, key: str) -> Event | None:
        """What the person has answered to the question of that key, here or in the recorded session; None: nothing."""
        return self.said("question.answered", key)

    def said(self, kind: str, key: str) -> Event | None:
        """What the person has said under that kind and key, here or in the recorded session; None: nothing."""
        with self._lock:
            found = self.find(kind, key)
            said = self._recorded.get((kind, key))
            return found if found is not None or said is None else self.append(said.kind, dict(said.data))

    def failed_then(self, kind: str, key: str) -> Event | None:
        """What ended that effect without a result in the recorded session; None where it came to one, then or here, or
        was not begun."""
        with self._lock:
            if self.find(f"{kind}.finished", key) or (f"{kind}.finished", key) in self._recorded:
                return None
            return self._recorded.get((f"{kind}.failed", key))

    def _from_the_record(self, kind: str, key: str, about: Callable[[], dict[str, Any]]) -> Event | None:
        """The same effect of the recorded session, logged as one of this one; None when there was none."""
        done = self._recorded.get((f"{kind}.finished", key))
        if done is None:
            return None
        with self._lock:
            started = self.append(f"{kind}.started", {**about(), "key": key})
            return self.append(f"{kind}.finished", dict(done.data), parent=started.seq)

    def effect(
        self,
        kind: str,
        key: str,
        answer_type: Any,
        do: Callable[[], T],
        *,
        about: Callable[[], dict[str, Any]],
        summary: Callable[[T], dict[str, Any]],
    ) -> T:
        """Do it once and for all: `KIND.started` is logged before, `KIND.finished` with the result after.

        When the log holds the result, that is the answer and nothing is done. When the log holds only the start, the
        effect was cut off: it is logged as `KIND.settled` and done again, so `do` must be harmless when repeated.
        `about()` goes into the start, `summary` of the result into the end, for people; neither is called for what the
        log holds already. What `do` raises passes through, and leaves the effect to be done again.
        """
        finished = self.find(f"{kind}.finished", key) or self._from_the_record(kind, key, about)
        if finished is not None:
            answer: T = held(finished, "result", answer_type)
            return answer
        started = self.find(f"{kind}.started", key)
        if started is None:
            started = self.append(f"{kind}.started", {**about(), "key": key})
        else:
            self.append(f"{kind}.settled", {"key": key, "how": "cut off; done again"}, parent=started.seq)
        result = do()
        plain = msgspec.to_builtins(result, builtin_types=(bytes,))
        self.append(f"{kind}.finished", {**summary(result), "key": key, "result": plain}, parent=started.seq)
        # What was logged is what is given, so that a run and its replay see the same value to the last bit.
        same: T = msgspec.convert(plain, answer_type)
        return same
