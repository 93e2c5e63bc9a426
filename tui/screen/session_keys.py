"""The actions of a session as keys of the screen."""

from __future__ import annotations

from textual.binding import Binding

from treadle.tui.actions import ACTIONS

_EVERYWHERE = ("quit", "help")

ANYWHERE = (
    *(
        Binding(action.key, action.name, action.label, priority=True, id=action.id)
        for action in ACTIONS
        if action.name in _EVERYWHERE
    ),
    Binding("ctrl+z", "suspend_process", "To the shell; fg comes back", show=False, id="suspend"),
)
"""The keys that act on every screen."""


def bindings() -> list[Binding]:
    """The keys of the session's screen."""
    return [
        Binding(action.key, f"act('{action.name}')", action.label, show=action.offered, id=action.id)
        for action in ACTIONS
        if action.key and action.name not in _EVERYWHERE
    ]
