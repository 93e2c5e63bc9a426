"""Changing the draft: writing, moving and deleting files."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from treadle.core.counting import counted
from treadle.core.replies.edits import split_lines
from treadle.core.tree.data_files import why_unreadable
from treadle.plugins.agents.tools.sent_text import bare, why_no_file, why_no_python
from treadle.plugins.agents.tools.tool import Arguments, Desk, Form, OwnTool, ToolError

NamedFile = Annotated[str, Meta(description="The file, relative to the project")]


class WriteArguments(Arguments, frozen=True, kw_only=True):
    """Write a file, whole: nothing of what it held stays. For changes of a file that is there, edit is better."""

    path: NamedFile
    content: Annotated[str, Meta(description="All of the file's text")]


class WriteNewArguments(WriteArguments, frozen=True, kw_only=True):
    """The same, with whether a file that is there may be replaced."""

    overwrite: bool


class MoveArguments(Arguments, frozen=True, kw_only=True):
    """Give a file another name, or move it to another folder. What imports it is not changed."""

    path: NamedFile
    to: Annotated[str, Meta(description="Its new name, relative to the project; there must be no such file")]


class DeleteArguments(Arguments, frozen=True, kw_only=True):
    """Delete a file."""

    path: NamedFile


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
    return said + what_is_wrong(path, text)


def _write_new(arguments: WriteNewArguments, desk: Desk) -> str:
    path = desk.file(arguments.path, arguments.content)
    if not arguments.overwrite and desk.draft.exists(path):
        raise ToolError(
            f"nothing was written: {path} is there already, and was not to be overwritten. Edit it, or leave overwrite "
            "out to replace all that it holds"
        )
    return _write(arguments, desk)


def what_is_wrong(path: str, text: str) -> str:
    """What is said of a text that can't be run, or read: it may be on the way to one that can."""
    why = why_no_python(path, text)
    if not why and (unreadable := why_unreadable(path, text.encode("utf-8", "surrogateescape"))):
        return f"\n{path} can't be read as it is: {unreadable}"
    return f"\n{path} can't be run as it is: {why}" if why else ""


def _move(arguments: MoveArguments, desk: Desk) -> str:
    old, new = desk.draft.move(desk.named(arguments.path), desk.named(arguments.to))
    return f"moved {old} to {new}"


def _delete(arguments: DeleteArguments, desk: Desk) -> str:
    return f"deleted {desk.draft.delete(desk.named(arguments.path))}"


WRITE = OwnTool("write", WriteArguments, _write, writes=True, also=(Form(WriteNewArguments, _write_new),))
MOVE = OwnTool("move", MoveArguments, _move, writes=True)
DELETE = OwnTool("delete", DeleteArguments, _delete, writes=True)
