"""What was decided in a session, read from its events, without what belongs to a place or a moment."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.commands.conftest import Treadle

DECIDED: dict[str, tuple[str, ...]] = {
    "session.state": ("key", "state"),
    "complete.started": ("key", "role"),
    "complete.finished": ("key", "model", "result"),
    "complete.failed": ("key", "trouble", "message"),
    "recall.found": ("lessons",),
    "candidate.proposed": ("files", "why", "remedy", "tried"),
    "scan.found": ("findings",),
    "attempt.ended": ("number", "verdict", "reasons", "diff"),
    "note.left": ("plugin", "text"),
    "question.asked": ("key", "question"),
    "session.rests": ("state", "reason", "diff"),
    "session.ended": ("state", "reason", "diff"),
}
"""Kinds of events, and what of each was decided: nothing of when, how long, and for how much."""


def decisions(treadle: Treadle, session: str = "last") -> list[Any]:
    """The decisions of a session, a list for each: the kind of event, the attempt, what was decided."""
    return decided(anywhere(treadle, treadle("show", session, "--json").lines))


def decided(events: Iterable[Any]) -> list[Any]:
    """The same of these events, as of `anywhere`."""
    return [
        [event["kind"], event.get("attempt", 0), {name: event["data"].get(name) for name in DECIDED[event["kind"]]}]
        for event in events
        if event["kind"] in DECIDED
    ]


def anywhere(treadle: Treadle, events: list[Any]) -> list[Any]:
    """The events, with names in braces in place of folders and of the session's own id."""
    session, python = events[0]["session"], events[0]["data"]["task"]["python"]
    named = {str(treadle.folder): "{project}", str(treadle.home): "{home}", python: "{python}", session: "{session}"}
    text = json.dumps(events)
    for value, name in named.items():
        text = text.replace(json.dumps(value)[1:-1], name)
    found: list[Any] = json.loads(re.sub(r"\{home\}/projects/[\w.-]+", "{state}", text))
    return found
