"""The files that a model without tools sends in its replies, taken into a draft: each whole, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

import msgspec

from treadle.core.errors import ReplyError
from treadle.core.paths import shown
from treadle.core.records import FileChange
from treadle.core.replies.file_text import text_of
from treadle.core.replies.naming import is_default_name
from treadle.core.replies.parts import is_surely_a_part
from treadle.core.replies.placing import in_place, unindented
from treadle.core.replies.reply import Read, read_files
from treadle.core.said import Said
from treadle.core.tree.bound_names import body_of, bound, lost_names
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.meant_files import MeantFiles
from treadle.plugins.agents.tools.tool import ToolError

MOST_SPOILED = 3
"""Replies that can't be taken, one after the other."""
_IN_THE_PROMPT = "path/to/file.py"
"""The name that stands for one in the prompts' examples."""


def take_files(reply: str, draft: Draft, meant: Sequence[str] = (), *, ended: bool = False) -> Read:
    """Write the files that the reply holds into the draft; the answer is those, and why others can't be. `meant` are
    the files that it can be about: a block without a name, if it is the only one, is that file, or the one of several
    of which it is plainly a new version; `ended` as of `read_files`. Raises `ReplyError`, with what to send instead,
    where none can be, and the draft is as it was: so it is where one is deleted, which may have another name now that
    is refused."""
    files_meant = MeantFiles(draft, meant)
    read = read_files(reply, partial(_content, draft), files_meant, ended=ended)
    refused = list(read.refused)
    files: list[FileChange] = []
    for change in read.files:
        with _kept(refused):
            files.append(_named(change, reply, files_meant))
    if len({change.path for change in files}) < len(files):
        raise ReplyError(
            "several blocks of code may be the same file: write the file's path in the first line of each fence that "
            "is one"
        )
    called = {change.path for change in read.files}
    taken: list[FileChange] = []
    with draft.all_or_none():
        for change in files:
            with _kept(refused), draft.all_or_none():
                _put(change, draft, as_called=change.path in called)
                taken.append(change)
        deletes = any(change.content is None for change in read.files)
        if refused and (deletes or not taken):
            raise refused[0]
        for path, parts in files_meant.parts.items():
            if not refused or path in {change.path for change in taken}:
                draft.sent(path, parts=parts)
    return Read(tuple(taken), tuple(refused))


@contextmanager
def _kept(refused: list[ReplyError]) -> Iterator[None]:
    """Of what can't be done within, the reason is kept."""
    try:
        yield
    except ReplyError as error:
        refused.append(error)


def _put(change: FileChange, draft: Draft, *, as_called: bool) -> None:
    """Put a file into the draft: one that was called otherwise was read as a new one."""
    if change.content is None:
        draft.delete(change.path)
    elif as_called:
        draft.put(change.path, change.content)
    else:
        draft.write(change.path, text_of(change.path, change.content))


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
    is_part = is_surely_a_part(old, sent, said.may_go(path, bound(body_of(old) or ())))
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
        if read.refused:
            return self._told_of(read)
        if read.files:
            self.why_not = ""
        return None

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
