"""Changing the draft: writing, editing, moving and deleting files."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from treadle.core.counting import counted
from treadle.core.replies.edits import split_lines
from treadle.plugins.agents.tools.capped import numbered
from treadle.plugins.agents.tools.tool import Arguments, Desk, OwnTool

_AROUND = 2
"""Lines shown on both sides of an edit."""
_SHOWN = 2_000
"""Characters of an edit that are shown."""

_Path = Annotated[str, Meta(description="The file, relative to the project")]


class WriteArguments(Arguments, frozen=True, kw_only=True):
    """Write a file, whole: nothing of what it held stays. For changes of a file that is there, edit is better."""

    path: _Path
    content: Annotated[str, Meta(description="All of the file's text")]


class EditArguments(Arguments, frozen=True, kw_only=True):
    """Replace lines of a file by others. The lines must be in the file exactly once, exactly as they are (apart from
    white space at their ends and the indentation of all of them)."""

    path: _Path
    search: Annotated[str, Meta(description="Whole lines of the file, without their numbers")]
    replace: Annotated[str, Meta(description="The lines that take their place; empty to delete them")]


class MoveArguments(Arguments, frozen=True, kw_only=True):
    """Give a file another name, or move it to another folder. What imports it is not changed."""

    path: _Path
    to: Annotated[str, Meta(description="Its new name, relative to the project; there must be no such file")]


class DeleteArguments(Arguments, frozen=True, kw_only=True):
    """Delete a file."""

    path: _Path


def _write(arguments: WriteArguments, desk: Desk) -> str:
    was_there = desk.draft.exists(arguments.path)
    path = desk.draft.write(arguments.path, arguments.content)
    text = desk.draft.text(path)
    lines = len(split_lines(text)[0])
    if was_there and text.replace("\r\n", "\n") != arguments.content.replace("\r\n", "\n"):
        return f"that was a part of {path}: it took its place there, and the rest stays as it was"
    return f"{'replaced' if was_there else 'created'} {path}: {counted(lines, 'line')}"


def _edit(arguments: EditArguments, desk: Desk) -> str:
    done = desk.draft.edit(arguments.path, arguments.search, arguments.replace)
    lines, _ = split_lines(desk.draft.shown(done.path))
    start = max(done.first - _AROUND, 1)
    shown = lines[start - 1 : done.first + done.count - 1 + _AROUND]
    apart = "" if done.exact else "; the lines were found apart from white space, so look at the indentation"
    return f"edited {done.path}{apart}. It now reads\n{numbered(shown, start, _SHOWN) or '(nothing)'}"


def _move(arguments: MoveArguments, desk: Desk) -> str:
    old, new = desk.draft.move(arguments.path, arguments.to)
    return f"moved {old} to {new}"


def _delete(arguments: DeleteArguments, desk: Desk) -> str:
    return f"deleted {desk.draft.delete(arguments.path)}"


WRITE = OwnTool("write", WriteArguments, _write, writes=True)
EDIT = OwnTool("edit", EditArguments, _edit, writes=True)
MOVE = OwnTool("move", MoveArguments, _move, writes=True)
DELETE = OwnTool("delete", DeleteArguments, _delete, writes=True)
