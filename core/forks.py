"""Which events of a session that is a fork are copies of its original's: they happened once, and count there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from treadle.core.events import Event


def told_of_fork(created: dict[str, Any], original: str, last: int) -> dict[str, Any]:
    """What the `session.created` of a fork says: what the original's says, and which session that is. The events up to
    the number `last` are copies."""
    return {**created, "forked_from": original, "copied": last}


def copied_up_to(event: Event) -> int:
    """The number up to which the events of a session are copies, as its `session.created` says; 0 for no fork, and for
    any other event."""
    said = event.data.get("copied") if event.kind == "session.created" else None
    return said if isinstance(said, int) else 0


class Copies:
    """Tells of events, of which those of each session are in order, which ones are copies."""

    def __init__(self) -> None:
        self._copied: dict[str, int] = {}

    def hold(self, event: Event) -> bool:
        """Whether the event is one of them. Asked of each event, in order."""
        if last := copied_up_to(event):
            self._copied[event.session] = last
        return self.has_fork(event.session) and event.seq <= self._copied[event.session]

    def has_fork(self, session: str) -> bool:
        """Whether that session is a fork, as far as its events were asked of."""
        return session in self._copied


def without_copies(events: Iterable[Event]) -> Iterator[Event]:
    """These events, of which those of each session are in order, without what a fork has from its original."""
    copies = Copies()
    return (event for event in events if not copies.hold(event))
