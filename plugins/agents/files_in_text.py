"""The files that a model without tools sends in its replies, taken into a draft: all of a reply's, or none."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial

import msgspec

from treadle.core.errors import ReplyError, SourceError
from treadle.core.paths import decode
from treadle.core.records import FileChange
from treadle.core.replies.file_text import text_of
from treadle.core.replies.reply import files_of
from treadle.core.tree.sources import parse
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.tools.tool import ToolError

MOST_SPOILED = 3
"""Replies that can't be taken, one after the other."""
_IN_THE_PROMPT = "path/to/file.py"
"""The name that stands for one in the prompts' examples."""


def take_files(reply: str, draft: Draft, meant: str = "") -> tuple[FileChange, ...]:
    """Write the files that the reply holds into the draft; the answer is those files. `meant` is the one file that it
    can be about, empty where there are several: a block without a name, if it is the only one, is that file. Raises
    `ReplyError`, with what to send instead, and the draft is as it was."""
    sent = files_of(reply, partial(_content, draft))
    files = tuple(_named(change, reply, meant, draft) for change in sent)
    if len({change.path for change in files}) < len(files):
        raise ReplyError(
            f"several blocks of code may be {meant}: write the file's path in the first line of each fence that is one"
        )
    with draft.all_or_none():
        for change, as_sent in zip(files, sent, strict=True):
            if change.content is None:
                draft.delete(change.path)
            elif change.path == as_sent.path:
                draft.put(change.path, change.content)
            else:
                draft.write(change.path, text_of(as_sent.path, change.content))
    return files


def _content(draft: Draft, path: str) -> bytes | None:
    try:
        return draft.read(path)
    except ReplyError:
        return None


def _named(change: FileChange, reply: str, meant: str, draft: Draft) -> FileChange:
    """The file by the name that it was given, or is meant by. Raises `ReplyError` where that would be a guess."""
    nameless = decode(change.path).rpartition("/")[2] not in reply
    if not nameless and change.path != _IN_THE_PROMPT:
        return change
    if not meant:
        if not nameless:
            raise ReplyError(f"{_IN_THE_PROMPT} is the example's name: name the file of the project that you mean")
        raise ReplyError("a block of code names no file: write the file's path in the first line of the fence")
    sent = (change.content or b"").decode("utf-8", "replace")
    lost = _defined(draft.shown(meant)) - _defined(sent) if draft.exists(meant) else set()
    if lost:
        raise ReplyError(
            f"that block names no file, and is not all of {meant}: {', '.join(sorted(lost)[:5])} would be gone. "
            "Send the whole file, or an edit"
        )
    return msgspec.structs.replace(change, path=meant)


def _defined(text: str) -> set[str]:
    """The names that a Python text defines at its top; of what is no Python, its lines."""
    try:
        body = parse(text).body
    except (SyntaxError, SourceError):
        return {line.strip() for line in text.splitlines() if line.strip()}
    defined = {node.name for node in body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
    targets = (target for node in body if isinstance(node, ast.Assign) for target in node.targets)
    return defined | {target.id for target in targets if isinstance(target, ast.Name)}


class TextReplies:
    """What becomes of the replies without calls in one conversation: their files are taken into the draft, as long as
    nothing was changed in it by tools. `check` raises `ReplyError` or `ToolError` for a draft that can't be taken;
    `meant` as of `take_files`."""

    def __init__(
        self, draft: Draft, check: Callable[[tuple[FileChange, ...]], None] = lambda files: None, meant: str = ""
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
            return self._draft.state == self._begun and bool(files_of(reply, partial(_content, self._draft)))
        except ReplyError:
            return False

    def take(self, reply: str) -> str | None:
        """What the model must be told of its reply, None when it is taken as its last words."""
        try:
            with self._draft.all_or_none():
                if self._draft.state == self._begun:
                    take_files(reply, self._draft, self._meant)
                self._check(self._draft.changes())
        except (ReplyError, ToolError) as error:
            self._spoiled += 1
            self.why_not = str(error)
            return None if self.given_up else f"Nothing of that was taken: {error}."
        return None
