"""What a plan names and a change leaves as it was. Its author is asked once for it: small models do one file of
several, and say that the rest comes next."""

from __future__ import annotations

from collections.abc import Sequence

from treadle.core.paths import shown
from treadle.plugins.agents.draft import Draft

_MOST_NAMED = 5


def left_out(planned: Sequence[str], draft: Draft) -> tuple[str, ...]:
    """The planned files that are as they were, and folders in which nothing has changed."""
    changed = [f"{change.path}/" for change in draft.changes()]
    return tuple(path for path in planned if not any(each.startswith(f"{path}/") for each in changed))


def named(left: Sequence[str]) -> str:
    """The files in a line."""
    return ", ".join(map(shown, left[:_MOST_NAMED]))


def asked_for(left: Sequence[str]) -> str:
    """What the author of the change is told of them."""
    return (
        f"That is taken. The plan names besides, and nothing has changed in: {named(left)}. Do what is left of the "
        "plan now. What you have sent stays, so do not send it again. If nothing is to change there, say so, in one "
        "sentence that says what the change does and why."
    )
