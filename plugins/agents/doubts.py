"""What the author of a change is told before it is taken as it is: once each, since who does the same again means it.

Small models write a file from memory and lose functions on the way, or do one file of several and say that the rest
comes next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from treadle.core.errors import ReplyError
from treadle.core.losses import each_loss, listed
from treadle.core.paths import shown
from treadle.core.replies.left_standing import left_standing
from treadle.core.replies.undone import undone
from treadle.core.tree.bound_names import Body, body_of
from treadle.plugins.agents.draft import Draft

_MOST_NAMED = 5


class Doubts:
    """Of one draft, by whose plan the files `planned` are to change."""

    def __init__(self, draft: Draft, planned: Sequence[str]) -> None:
        self._draft = draft
        self._planned = planned
        self._before = draft.at_first
        self._told: dict[str, set[tuple[str, str]]] = {}
        self.is_asked_for_the_rest = False
        """Whether the author was told of planned files that are as they were."""

    def before_taken(self) -> str:
        """The first thing that the author is to be asked about the draft as it is; empty for nothing."""
        return (
            self._about_losses() or self._about_what_is_undone() or self._about_what_stays() or self._about_the_rest()
        )

    def _about_losses(self) -> str:
        lost = each_loss(self._draft.changes(), self._before, self._draft.said)
        new = self._not_told("lost", ((path, name) for path, names in lost for name in names))
        if not new:
            return ""
        of_files: dict[str, list[str]] = {}
        for path, name in new:
            of_files.setdefault(path, []).append(name)
        told = "; ".join(
            f"{shown(path)}: {listed(names)} would be gone" for path, names in list(of_files.items())[:_MOST_NAMED]
        )
        return (
            f"That is taken, and with it {told}, which nobody has said. If that is meant, say so in one sentence that "
            "says what the change does and why; if not, send what is missing, or the whole file, or an edit."
        )

    def _about_what_is_undone(self) -> str:
        """Who sends a part of a file, and then all of it from memory, takes the part back."""
        taken_back = (
            (path, name)
            for path, with_parts in self._draft.with_parts.items()
            for name in undone(*map(_statements, (_text(self._before(path)), with_parts, self._now(path))))
        )
        new = self._not_told("undone", taken_back)
        if not new:
            return ""
        told = ", ".join(f"{name} in {shown(path)}" for path, name in new[:_MOST_NAMED])
        return (
            f"That is taken, and with it what you had sent before is taken back: as it was at first is {told}. If that "
            "is meant, say so in one sentence that says what the change does and why; if not, send it again."
        )

    def _about_what_stays(self) -> str:
        """Who renames or removes something by a part of its file leaves it there."""
        new = self._not_told("stays", self._standing())
        if not new:
            return ""
        told = _places(new)
        return (
            f"What you have sent took its place in the file, and all else is as it was. Still there, and it may be "
            f"meant to go: {told}. If so, send the whole file, or an edit; if not, say what the change does and why."
        )

    def what_stays(self) -> str:
        """What stands where it was, though somebody said that it is not to; empty for nothing."""
        return _places(sorted(self._standing()))

    def _standing(self) -> Iterator[tuple[str, str]]:
        for path, parts in self._draft.parts.items():
            for name in left_standing(_text(self._before(path)), parts, self._now(path), self._draft.said):
                yield path, name

    def _not_told(self, doubt: str, found: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
        """Those of which the author was not told before by this doubt: they are now."""
        told = self._told.setdefault(doubt, set())
        new = sorted(set(found) - told)
        told.update(new)
        return new

    def _now(self, path: str) -> str:
        try:
            return self._draft.text(path)
        except ReplyError:
            return ""

    def _about_the_rest(self) -> str:
        left = left_out(self._planned, self._draft) if self._draft.changes() else ()
        if not left or self.is_asked_for_the_rest:
            return ""
        self.is_asked_for_the_rest = True
        return (
            f"That is taken. The plan names besides, and nothing has changed in: {named(left)}. Do what is left of the "
            "plan now. What you have sent stays, so do not send it again. If nothing is to change there, say so, in "
            "one sentence that says what the change does and why."
        )


def _statements(text: str) -> Body:
    return body_of(text) or ()


def _text(content: bytes | None) -> str:
    return (content or b"").decode("utf-8", "replace")


def _places(found: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{name} in {shown(path)}" for path, name in found[:_MOST_NAMED])


def left_out(planned: Sequence[str], draft: Draft) -> tuple[str, ...]:
    """The planned files that are as they were, and folders in which nothing has changed."""
    changed = [f"{change.path}/" for change in draft.changes()]
    return tuple(path for path in planned if not any(each.startswith(f"{path}/") for each in changed))


def named(left: Sequence[str]) -> str:
    """The files in a line."""
    return ", ".join(map(shown, left[:_MOST_NAMED]))
