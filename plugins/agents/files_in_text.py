"""The files that a model without tools sends in its replies, taken into a draft: each whole, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from treadle.core.errors import ReplyError
from treadle.core.paths import shown
from treadle.core.records import FileChange
from treadle.core.replies.reply import Read, read_files
from treadle.core.tree.data_files import breaks
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.meant_files import MeantFiles
from treadle.plugins.agents.tools.tool import ToolError

MOST_SPOILED = 3
"""Replies that can't be taken, one after the other."""


def take_files(reply: str, draft: Draft, meant: Sequence[str] = (), *, ended: bool = False) -> Read:
    """Write the files that the reply holds into the draft; the answer is those, and why others can't be. `meant` are
    the files that it can be about: a block without a name is of the only one, or of the one of several of which it is
    plainly a new version, or a part; `ended` as of `read_files`. Raises `ReplyError`, with what to send instead,
    where none can be, and the draft is as it was: so it is where one is deleted, which may have another name now that
    is refused."""
    files_meant = MeantFiles(draft, meant)
    read = read_files(reply, partial(_content, draft), files_meant, ended=ended)
    refused = list(read.refused)
    taken: list[FileChange] = []
    with draft.all_or_none():
        for change in read.files:
            with _kept(refused), draft.all_or_none():
                _put(change, draft)
                taken.append(change)
        deletes = any(change.content is None for change in read.files)
        if refused and (deletes or not taken):
            raise refused[0]
        for path, parts in files_meant.parts.items():
            if not refused or path in {change.path for change in taken}:
                draft.sent(path, parts=parts)
    return Read(tuple(taken), tuple(refused))


def held_otherwise(text: str, draft: Draft, meant: Sequence[str] = ()) -> tuple[str, ...]:
    """The files that a text holds which is not taken, otherwise than the draft does."""
    try:
        found = read_files(text, partial(_content, draft), MeantFiles(draft, meant)).files
    except ReplyError:
        return ()
    return tuple(change.path for change in found if change.content != _content(draft, change.path))


@contextmanager
def _kept(refused: list[ReplyError]) -> Iterator[None]:
    """Of what can't be done within, the reason is kept."""
    try:
        yield
    except ReplyError as error:
        refused.append(error)


def _put(change: FileChange, draft: Draft) -> None:
    if change.content is None:
        draft.delete(change.path)
        return
    if why := breaks(change.path, _content(draft, change.path), change.content):
        raise ReplyError(f"{change.path} could be read until now, and could not be with this: {why}. Send it rightly")
    draft.put(change.path, change.content)


def _content(draft: Draft, path: str) -> bytes | None:
    try:
        return draft.read(path)
    except ReplyError:
        return None


class TextReplies:
    """What becomes of the replies without calls in one conversation: their files are taken into the draft, as long as
    nothing was changed in it by tools. Who works by tools and sends a file in words besides is told so once, since it
    may be meant, or only shown. `check` raises `ReplyError` or `ToolError` for a draft that can't be taken;
    `meant` as of `take_files`."""

    def __init__(
        self,
        draft: Draft,
        check: Callable[[tuple[FileChange, ...]], None] = lambda files: None,
        meant: Sequence[str] = (),
    ) -> None:
        self._draft = draft
        self._meant = meant
        self._check = check
        self._begun = draft.state
        self._spoiled = 0
        self._beside_tools: set[str] = set()
        self.why_not = ""
        """Why the last one that could not be taken, or not all of it, could not be; empty once another one was."""

    @property
    def given_up(self) -> bool:
        """Whether too many replies could not be taken."""
        return self._spoiled >= MOST_SPOILED

    def holds_files(self, reply: str) -> bool:
        """Whether `take` would take files from it, as far as the reply alone tells."""
        try:
            return self._draft.state == self._begun and bool(self._files(reply))
        except ReplyError:
            return False

    def _files(self, reply: str) -> tuple[FileChange, ...]:
        return read_files(reply, partial(_content, self._draft), MeantFiles(self._draft, self._meant)).files

    def take(self, reply: str, *, ended: bool = False) -> str | None:
        """What the model must be told of its reply, None when it is taken as its last words. `ended`: its service says
        that nothing of it was cut off."""
        is_by_tools = self._draft.state != self._begun
        try:
            with self._draft.all_or_none():
                read = Read(()) if is_by_tools else take_files(reply, self._draft, self._meant, ended=ended)
                self._check(self._draft.changes())
        except (ReplyError, ToolError) as error:
            self._spoiled += 1
            self.why_not = str(error)
            if self.given_up:
                return None
            return f"{error}." if is_by_tools else f"Nothing of that was taken: {error}."
        if is_by_tools:
            return self._told_of_words(reply)
        if read.refused:
            return self._told_of(read)
        if read.files:
            self.why_not = ""
        return None

    def _told_of_words(self, reply: str) -> str | None:
        names = set(held_otherwise(reply, self._draft, self._meant)) - self._beside_tools
        if not names:
            return None
        self._beside_tools |= names
        return (
            "You work by your tools, so nothing is taken from words, and yours hold code that is not in "
            f"{', '.join(map(shown, sorted(names)))}: write it there by your tools, or say in a sentence what you did."
        )

    def _told_of(self, read: Read) -> str | None:
        """What was taken stays, and the next replies go on from there."""
        self._begun = self._draft.state
        self._spoiled += 1
        self.why_not = "; ".join(map(str, read.refused))
        if self.given_up:
            return None
        names = ", ".join(shown(change.path) for change in read.files)
        return (
            f"Taken, and not to be sent again: {names}. What else was in that reply was not taken: {self.why_not}. "
            "Send that alone once more."
        )
