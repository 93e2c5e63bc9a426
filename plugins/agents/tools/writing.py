"""Changing the draft: writing, editing, moving and deleting files."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from treadle.core.counting import counted
from treadle.core.errors import ReplyError
from treadle.core.replies.edits import split_lines
from treadle.plugins.agents.draft import Edited
from treadle.plugins.agents.tools.capped import numbered
from treadle.plugins.agents.tools.meant_lines import lines_meant
from treadle.plugins.agents.tools.sent_text import bare, why_no_file, why_no_python
from treadle.plugins.agents.tools.tool import Arguments, Desk, OwnTool, ToolError

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
    content = bare(arguments.path, arguments.content)
    path = desk.file(arguments.path, content)
    if (why := why_no_file(path, content)) and desk.doubts(f"write {path}: {content}"):
        raise ToolError(
            f"nothing was written, since that is no whole Python file: {why}; {why_no_python(path, content)}. "
            "Write all of it, or edit it. If it is meant to be so, send the same again"
        )
    before = desk.draft.text(path) if desk.draft.exists(path) else None
    path = desk.draft.write(path, content)
    text = desk.draft.text(path)
    lines = len(split_lines(text)[0])
    if path in desk.draft.parts and text == before:
        said = f"{path} is as it was: that was a part of it, which is there already, and a part takes nothing away"
    elif before is not None and text.replace("\r\n", "\n") != content.replace("\r\n", "\n"):
        said = f"that was a part of {path}: it took its place there, and the rest stays as it was"
    else:
        said = f"{'created' if before is None else 'replaced'} {path}: {counted(lines, 'line')}"
    return said + _no_python(path, text)


def _edit(arguments: EditArguments, desk: Desk) -> str:
    path = desk.file(arguments.path)
    could_run = not why_no_python(path, desk.draft.text(path))
    done = _edited(desk, path, arguments)
    wrong = _no_python(done.path, desk.draft.text(done.path)) if could_run else ""
    lines, _ = split_lines(desk.draft.shown(done.path))
    start = max(done.first - _AROUND, 1)
    shown = lines[start - 1 : done.first + done.count - 1 + _AROUND]
    apart = "" if done.exact else "; the lines were found apart from white space, so look at the indentation"
    return f"edited {done.path}{apart}. It now reads\n{numbered(shown, start, _SHOWN) or '(nothing)'}{wrong}"


def _no_python(path: str, text: str) -> str:
    """What is said of a text that can't be run: it may be on the way to one that can."""
    why = why_no_python(path, text)
    return f"\n{path} can't be run as it is: {why}" if why else ""


def _edited(desk: Desk, path: str, arguments: EditArguments) -> Edited:
    try:
        return desk.draft.edit(path, arguments.search, arguments.replace)
    except ReplyError:
        search, replace = (text.replace("\r\n", "\n") for text in (arguments.search, arguments.replace))
        meant = lines_meant(desk.draft.shown(path).replace("\r", ""), search, replace)
        if meant is None:
            raise
    return desk.draft.edit(path, *meant)


def _move(arguments: MoveArguments, desk: Desk) -> str:
    old, new = desk.draft.move(desk.named(arguments.path), desk.named(arguments.to))
    return f"moved {old} to {new}"


def _delete(arguments: DeleteArguments, desk: Desk) -> str:
    return f"deleted {desk.draft.delete(desk.named(arguments.path))}"


WRITE = OwnTool("write", WriteArguments, _write, writes=True)
EDIT = OwnTool("edit", EditArguments, _edit, writes=True)
MOVE = OwnTool("move", MoveArguments, _move, writes=True)
DELETE = OwnTool("delete", DeleteArguments, _delete, writes=True)
