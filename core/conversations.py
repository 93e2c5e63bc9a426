"""A conversation over several sessions: what a session that goes on from another one is told of it."""

from __future__ import annotations

from collections.abc import Iterable

from treadle.core.best_attempt import nearest
from treadle.core.events import Event, held
from treadle.core.records import Exchange, Outcome, Task

MOST_EXCHANGES = 6
"""Of a longer conversation the oldest are left out."""


def going_on_from(session: str, earlier: Task, outcome: Outcome, *, applied: bool) -> tuple[Exchange, ...]:
    """The conversation so far: what the session with that task was told itself, then its own task and outcome."""
    waits = session if outcome.winner is not None and not applied else ""
    own = Exchange(asked=earlier.text, came=came_of(outcome, applied=applied), waits=waits)
    return (*earlier.earlier, own)[-MOST_EXCHANGES:]


def came_of(outcome: Outcome, *, applied: bool) -> str:
    """What came of a session, in a few sentences for a model."""
    if outcome.answer:
        return outcome.answer
    best = nearest(outcome)
    shown = outcome.winner or best or (outcome.attempts[-1] if outcome.attempts else None)
    if shown is None:
        return outcome.reason or f"the session is {outcome.state.lower()}"
    files = ", ".join(change.path for change in shown.candidate.files)
    if outcome.winner is None:
        which = "attempt that came nearest" if best else "last attempt"
        return f"It was not done: {outcome.reason}. The {which} changed {files}: {shown.candidate.why}"
    stands = "The person has accepted it." if applied else "The person has not accepted it: the files are as before."
    return f"{files} changed: {shown.candidate.why} {stands}"


def outcome_of(events: Iterable[Event]) -> Outcome | None:
    """What the session of these events came to so far, None when it has neither ended nor rested."""
    last = None
    for event in events:
        if event.kind in ("session.ended", "session.rests"):
            last = event
    outcome: Outcome | None = held(last, "outcome", Outcome) if last is not None else None
    return outcome


def failure_of(events: Iterable[Event]) -> str:
    """What made it impossible to go on, where that is the last that is known of the session; else ""."""
    told = ""
    for event in events:
        if event.kind == "session.failed":
            told = str(event.data["error"])
        elif event.kind in ("session.ended", "session.rests", "session.resumed"):
            told = ""
    return told
