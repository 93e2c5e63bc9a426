"""The files that a model without tools sends in its replies, taken into a draft: all of a reply's, or none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import msgspec

from treadle.core.errors import ReplyError
from treadle.core.records import FileChange
from treadle.core.replies.file_text import text_of
from treadle.core.replies.naming import is_default_name
from treadle.core.replies.parts import is_surely_a_part
from treadle.core.replies.placing import in_place, unindented
from treadle.core.replies.reply import files_of
from treadle.core.said import Said
from treadle.core.tree.bound_names import lost_names
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.meant_files import MeantFiles
from treadle.plugins.agents.tools.tool import ToolError

MOST_SPOILED = 3
"""Replies that can't be taken, one after the other."""
_IN_THE_PROMPT = "path/to/file.py"
"""The name that stands for one in the prompts' examples."""


def take_files(reply: str, draft: Draft, meant: Sequence[str] = (), *, ended: bool = False) -> tuple[FileChange, ...]:
    """Write the files that the reply holds into the draft; the answer is those files. `meant` are the files that it can
    be about: a block without a name, if it is the only one, is that file, or the one of several of which it is plainly
    a new version; `ended` as of `files_of`. Raises `ReplyError`, with what to send instead, and the draft is as it
    was."""
    files_meant = MeantFiles(draft, meant)
    sent = files_of(reply, partial(_content, draft), files_meant, ended=ended)
    files = tuple(_named(change, reply, files_meant) for change in sent)
    if len({change.path for change in files}) < len(files):
        raise ReplyError(
            "several blocks of code may be the same file: write the file's path in the first line of each fence that "
            "is one"
        )
    with draft.all_or_none():
        for change, as_sent in zip(files, sent, strict=True):
            if change.content is None:
                draft.delete(change.path)
            elif change.path == as_sent.path:
                draft.put(change.path, change.content)
            else:
                draft.write(change.path, text_of(change.path, change.content))
        for path, parts in files_meant.parts.items():
            draft.sent(path, parts=parts)
    return files


def _content(draft: Draft, path: str) -> bytes | None:
    try:
        return draft.read(path)
    except ReplyError:
        return None


def _named(change: FileChange, reply: str, meant: MeantFiles) -> FileChange:
    """The file by the name that it was given, or is meant by. Raises `ReplyError` where that would be a guess."""
    nameless = is_default_name(change.path) and change.path not in reply
    if not nameless and change.path != _IN_THE_PROMPT:
        return change
    sent = (change.content or b"").decode("utf-8", "replace")
    path = meant.nameless(sent)
    if not path:
        if not nameless:
            raise ReplyError(f"{_IN_THE_PROMPT} is the example's name: name the file of the project that you mean")
        raise ReplyError("a block of code names no file: write the file's path in the first line of the fence")
    old = meant.text(path)
    lost = _lost(old, sent)
    if lost:
        whole = _in_place(path, old, sent, meant.said)
        if whole is None:
            raise ReplyError(
                f"that block names no file, and is not all of {path}: {', '.join(sorted(lost)[:5])} would be gone. "
                "Send the whole file, or an edit"
            )
        change = msgspec.structs.replace(change, content=whole.encode("utf-8", "surrogateescape"))
    meant.took(path, parts=(sent,) if lost else ())
    return msgspec.structs.replace(change, path=path)


def _in_place(path: str, old: str, sent: str, said: Said) -> str | None:
    is_part = is_surely_a_part(old, sent, partial(said.of_file, path))
    return in_place(old, sent, alone=True, said=said) if is_part else None


def _lost(old: str, sent: str) -> set[str]:
    """The names that a Python text would no longer define; of what is no Python, its lines."""
    lost = lost_names(old, unindented(sent))
    return _lines(old) - _lines(sent) if lost is None else lost


def _lines(text: str) -> set[str]:
    return {line.strip() for line in text.splitlines() if line.strip()}


class TextReplies:
    """What becomes of the replies without calls in one conversation: their files are taken into the draft, as long as
    nothing was changed in it by tools. `check` raises `ReplyError` or `ToolError` for a draft that can't be taken;
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
        self.why_not = ""
        """Why the last one that could not be taken could not be."""

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
        return files_of(reply, partial(_content, self._draft), MeantFiles(self._draft, self._meant))

    def take(self, reply: str, *, ended: bool = False) -> str | None:
        """What the model must be told of its reply, None when it is taken as its last words. `ended`: its service says
        that nothing of it was cut off."""
        is_by_tools = self._draft.state != self._begun
        try:
            with self._draft.all_or_none():
                if not is_by_tools:
                    take_files(reply, self._draft, self._meant, ended=ended)
                self._check(self._draft.changes())
        except (ReplyError, ToolError) as error:
            self._spoiled += 1
            self.why_not = str(error)
            if self.given_up:
                return None
            return f"{error}." if is_by_tools else f"Nothing of that was taken: {error}."
        return None
