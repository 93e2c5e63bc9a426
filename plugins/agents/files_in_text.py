"""The files that a model without tools sends in its replies, taken into a draft: all of a reply's, or none."""

from __future__ import annotations

from collections.abc import Callable

from treadle.core.errors import ReplyError
from treadle.core.paths import decode
from treadle.core.records import FileChange
from treadle.core.replies.file_text import text_of
from treadle.core.replies.reply import files_of
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.tools.tool import ToolError

MOST_SPOILED = 3
"""Replies that can't be taken, one after the other."""
_IN_THE_PROMPT = "path/to/file.py"
"""The name that stands for one in the prompts' examples."""


def take_files(reply: str, draft: Draft) -> tuple[FileChange, ...]:
    """Write the files that the reply holds into the draft; the answer is those files. Raises `ReplyError`, with what to
    send instead, and the draft is as it was."""

    def content(path: str) -> bytes | None:
        try:
            return draft.read(path)
        except ReplyError:
            return None

    files = files_of(reply, content)
    with draft.all_or_none():
        for change in files:
            _refuse_unnamed(change.path, reply)
            if change.content is None:
                draft.delete(change.path)
            else:
                draft.write(change.path, text_of(change.path, change.content))
    return files


def _refuse_unnamed(path: str, reply: str) -> None:
    """Raise `ReplyError` for a file whose name nobody has said: in a project that is no guess to make."""
    if path == _IN_THE_PROMPT:
        raise ReplyError(f"{path} is the example's name: name the file of the project that you mean")
    if decode(path).rpartition("/")[2] not in reply:
        raise ReplyError("a block of code names no file: write the file's path in the first line of the fence")


class TextReplies:
    """What becomes of the replies without calls in one conversation: their files are taken into the draft, as long as
    nothing was changed in it by tools. `check` raises `ReplyError` or `ToolError` for a draft that can't be taken."""

    def __init__(self, draft: Draft, check: Callable[[tuple[FileChange, ...]], None] = lambda files: None) -> None:
        self._draft = draft
        self._check = check
        self._begun = draft.state
        self._spoiled = 0

    @property
    def given_up(self) -> bool:
        """Whether too many replies could not be taken."""
        return self._spoiled >= MOST_SPOILED

    def take(self, reply: str) -> str | None:
        """What the model must be told of its reply, None when it is taken as its last words."""
        try:
            with self._draft.all_or_none():
                if self._draft.state == self._begun:
                    take_files(reply, self._draft)
                self._check(self._draft.changes())
        except (ReplyError, ToolError) as error:
            self._spoiled += 1
            return None if self.given_up else f"Nothing of that was taken: {error}."
        return None
