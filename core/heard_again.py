"""What a replay hears again of models: it was asked once, by the session that is replayed, and counts there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from treadle.core.events import Event

_HEARD = frozenset({"complete.finished", "model.asked", "model.failed"})


def replayed_by(event: Event) -> str:
    """The session that the one with this `session.created` replays; empty where it replays none, and for any other
    event."""
    said = event.data.get("replays") if event.kind == "session.created" else None
    return said if isinstance(said, str) else ""


class Replays:
    """Tells of events, of which those of each session are in order, which ones tell of models that a replay did not ask
    itself."""

    def __init__(self) -> None:
        self._sessions: set[str] = set()

    def hold(self, event: Event) -> bool:
        """Whether the event is one of them. Asked of each event, in order."""
        if replayed_by(event):
            self._sessions.add(event.session)
        return event.kind in _HEARD and event.session in self._sessions


def without_heard_again(events: Iterable[Event]) -> Iterator[Event]:
    """These events, of which those of each session are in order, without what a replay has heard again of models."""
    replays = Replays()
    return (event for event in events if not replays.hold(event))
