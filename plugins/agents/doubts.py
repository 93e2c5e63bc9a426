"""What the author of a change is told before it is taken as it is: once each, since who does the same again means it.

Small models write a file from memory and lose functions on the way, or do one file of several and say that the rest
comes next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from treadle.core.errors import ReplyError
from treadle.core.losses import losses
from treadle.core.packages.declared import before
from treadle.core.paths import shown
from treadle.core.records import FileChange
from treadle.core.tree.workspace import Tree
from treadle.plugins.agents.draft import Draft

_MOST_NAMED = 5


class Doubts:
    """Of one draft, by whose plan the files `planned` are to change."""

    def __init__(self, draft: Draft, planned: Sequence[str]) -> None:
        self._draft = draft
        self._planned = planned
        self._before: Callable[[str], bytes | None] = partial(before, tree=Tree(draft.workspace))
        self._told: set[tuple[str, str]] = set()
        self.is_asked_for_the_rest = False
        """Whether the author was told of planned files that are as they were."""

    def check(self, files: Sequence[FileChange]) -> None:
        """Raises `ReplyError` for what these changes take away that nobody said is to go."""
        lost = set(losses(files, self._before, self._draft.said))
        new = sorted(lost - self._told)
        self._told |= lost
        if new:
            told = "; ".join(f"{shown(path)}: {what}" for path, what in new[:_MOST_NAMED])
            raise ReplyError(f"{told}. If that is meant, do the same again; if not, put it back, or send an edit")

    def about_the_rest(self) -> str:
        """What the author is to be asked of planned files that are as they were; empty for nothing."""
        left = left_out(self._planned, self._draft) if self._draft.changes() else ()
        if not left or self.is_asked_for_the_rest:
            return ""
        self.is_asked_for_the_rest = True
        return (
            f"That is taken. The plan names besides, and nothing has changed in: {named(left)}. Do what is left of the "
            "plan now. What you have sent stays, so do not send it again. If nothing is to change there, say so, in "
            "one sentence that says what the change does and why."
        )

    def about_finishing(self) -> str:
        """The first of both that speaks against finishing now; empty for nothing."""
        try:
            self.check(self._draft.changes())
        except ReplyError as error:
            return str(error)
        return self.about_the_rest()


def left_out(planned: Sequence[str], draft: Draft) -> tuple[str, ...]:
    """The planned files that are as they were, and folders in which nothing has changed."""
    changed = [f"{change.path}/" for change in draft.changes()]
    return tuple(path for path in planned if not any(each.startswith(f"{path}/") for each in changed))


def named(left: Sequence[str]) -> str:
    """The files in a line."""
    return ", ".join(map(shown, left[:_MOST_NAMED]))
