"""For how long a session has worked: read from its events."""

from __future__ import annotations

from collections.abc import Iterable

from treadle.core.events import Event

AFTER_A_REST = frozenset(
    {
        "session.resumed",
        "question.answered",
        "feedback.given",
        "patch.applying",
        "patch.undone",
        "patch.half_done",
    }
)
"""What a session that rested or had ended goes on with: the time before it was no work."""


def worked_seconds(events: Iterable[Event]) -> float:
    """Seconds that a session has worked: the gaps between its events, without its rests and what came after its end."""
    worked = 0.0
    before: float | None = None
    for event in events:
        if before is not None and event.kind not in AFTER_A_REST:
            worked += max(0.0, event.time - before)
        before = event.time
    return worked
