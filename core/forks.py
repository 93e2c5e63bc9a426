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


def without_copies(events: Iterable[Event]) -> Iterator[Event]:
    """These events, of which those of each session are in order, without what a fork has from its original."""
    copied: dict[str, int] = {}
    for event in events:
        last = copied_up_to(event)
        if last:
            copied[event.session] = last
        if event.seq > copied.get(event.session, 0):
            yield event
