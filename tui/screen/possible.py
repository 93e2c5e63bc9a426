"""What a person can do now, from where a session stands: only that is offered, by key, in the palette and in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treadle.tui.story.story import Story


def is_possible(action: str, story: Story | None, *, at_work: bool) -> bool:
    """Whether the action leads anywhere. `at_work`: a session is at work in this program, be it this one or another."""
    if action == "stop":
        return at_work
    if action not in _RULES:
        return True
    return story is not None and not at_work and _RULES[action](story)


def _accept(story: Story) -> bool:
    return bool(story.diff) and not story.applied and story.state == "SOLVED"


def _undo(story: Story) -> bool:
    return story.applied


def _resume(story: Story) -> bool:
    return story.state in ("NEEDS_PERSON", "STOPPED", "OVER_BUDGET") or story.working


def _speak(story: Story) -> bool:
    ended = not story.working and story.question is None and not story.applied
    return ended and bool(story.attempts) and story.task is not None and story.task.kind != "check"


_RULES: Mapping[str, Callable[[Story], bool]] = {
    "accept": _accept,
    "undo": _undo,
    "resume": _resume,
    "reject": _speak,
    "another": _speak,
    "edit": _speak,
}

ACTIONS = ("stop", *_RULES)
"""Those that lead somewhere only now and then."""


def where_it_stands(story: Story | None) -> str:
    """Why something is not possible: in what state the session is."""
    if story is None:
        return "there is no session yet; write what should change, or send /fix"
    if story.applied:
        return "the patch of this session is applied"
    return f"this session is {story.state.lower().replace('_', ' ')}"
