"""Edits that a call holds as a text, in any form in which models that can't call tools send them."""

from __future__ import annotations

from treadle.core.replies.marked_edits import Edit, Patch
from treadle.core.replies.reading import read_parts
from treadle.core.replies.reply_parts import Block, Part
from treadle.core.replies.thoughts import UnclosedThought
from treadle.core.replies.unified_diff import looks_like_diff
from treadle.plugins.agents.fenced import fenced
from treadle.plugins.agents.files_in_text import take_files
from treadle.plugins.agents.tools.tool import Arguments, Desk, Form, ToolError
from treadle.plugins.agents.tools.writing import what_is_wrong


class PatchArguments(Arguments, frozen=True, kw_only=True):
    """A patch, a diff, or SEARCH/REPLACE blocks. The path is that of the file which these don't name."""

    patch: str
    path: str = ""


def _patch(arguments: PatchArguments, desk: Desk) -> str:
    path = desk.file(arguments.path) if arguments.path else ""
    reply = "\n\n".join(filter(None, (path, _edits_in(arguments.patch))))
    with desk.draft.all_or_none():
        read = take_files(reply, desk.draft, (path,) if path else desk.likely)
        if read.refused:
            raise read.refused[0]
    if not read.files:
        raise ToolError("that patch changes nothing: the files are as it would make them")
    told = []
    for change in read.files:
        gone = change.content is None
        told.append(f"{'deleted' if gone else 'created' if change.base is None else 'edited'} {change.path}")
        told[-1] += "" if gone else what_is_wrong(change.path, desk.draft.text(change.path))
    return "\n".join(told)


def _edits_in(text: str) -> str:
    """The text, a diff in a fence. Raises `ToolError` for one that holds no edits, and may be anything."""
    try:
        parts = list(read_parts(text))
    except UnclosedThought as error:
        raise ToolError(f"{error}: send the patch alone") from None
    if any(map(_is_edit, parts)):
        return text
    if looks_like_diff(text.split("\n")):
        return fenced("diff", text)
    raise ToolError(
        "that is no patch: begin it with *** Begin Patch and end it with *** End Patch, or send a unified diff, or the "
        "lines to search for and those that replace them. A whole file is for write"
    )


def _is_edit(part: Part) -> bool:
    return isinstance(part, Edit | Patch) or (isinstance(part, Block) and looks_like_diff(part.content))


PATCH = Form(PatchArguments, _patch)
