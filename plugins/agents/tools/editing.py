"""Editing files of the draft, in the form that models are told of and in those that they know from other agents."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from treadle.core.counting import counted
from treadle.core.errors import ReplyError
from treadle.core.replies.edits import split_lines
from treadle.core.replies.unified_diff import Hunk
from treadle.plugins.agents.draft import Edited
from treadle.plugins.agents.tools.capped import numbered
from treadle.plugins.agents.tools.every_place import every_place
from treadle.plugins.agents.tools.meant_lines import lines_meant
from treadle.plugins.agents.tools.patching import PATCH
from treadle.plugins.agents.tools.sent_text import why_no_python
from treadle.plugins.agents.tools.tool import Arguments, Desk, Form, OwnTool, ToolError
from treadle.plugins.agents.tools.writing import NamedFile, no_python

_AROUND = 2
"""Lines shown on both sides of an edit."""
_SHOWN = 2_000
"""Characters of an edit that are shown."""
_NAMED = 20
"""Lines of which the numbers are named."""
_MOST_EDITS = 100


class EditArguments(Arguments, frozen=True, kw_only=True):
    """Replace lines of a file by others. The lines must be in the file exactly once, exactly as they are (apart from
    white space at their ends and the indentation of all of them)."""

    path: NamedFile
    search: Annotated[str, Meta(description="Whole lines of the file, without their numbers")]
    replace: Annotated[str, Meta(description="The lines that take their place; empty to delete them")]


class OneEdit(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of several edits; without a path of the file that all of them are of."""

    search: str
    replace: str
    path: str = ""


class EditsArguments(Arguments, frozen=True, kw_only=True):
    """Several edits in their order, all or none."""

    edits: Annotated[tuple[OneEdit, ...], Meta(min_length=1, max_length=_MOST_EDITS)]
    path: str = ""


class InsertArguments(Arguments, frozen=True, kw_only=True):
    """Lines that are put behind the line of a number, before all others where that is 0."""

    path: str
    after: int
    inserted: str


class EveryPlaceArguments(EditArguments, frozen=True, kw_only=True):
    """The same, with whether it is made at every place."""

    every: bool


def _edit(arguments: EditArguments, desk: Desk) -> str:
    path = desk.file(arguments.path)
    could_run = not why_no_python(path, desk.draft.text(path))
    done = _edited(desk, path, arguments.search, arguments.replace)
    return f"edited {_told(done, desk)}{no_python(path, desk.draft.text(path)) if could_run else ''}"


def _edits(arguments: EditsArguments, desk: Desk) -> str:
    named = [desk.file(path) if (path := edit.path or arguments.path) else "" for edit in arguments.edits]
    could_run = [path for path in dict.fromkeys(named) if path and not why_no_python(path, desk.draft.text(path))]
    told: list[str] = []
    with desk.draft.all_or_none():
        for number, (path, edit) in enumerate(zip(named, arguments.edits, strict=True), 1):
            try:
                if not path:
                    raise ToolError("it names no file")
                done = _edited(desk, path, edit.search, edit.replace)
            except (ReplyError, ToolError) as error:
                raise ToolError(
                    f"nothing was edited, since edit {number} of {len(named)} can't be made: {str(error).rstrip('.')}. "
                    "Send all of them again"
                ) from None
            told.append(f"{number}. {_told(done, desk)}")
    wrong = "".join(no_python(path, desk.draft.text(path)) for path in could_run)
    return "\n".join([f"made {counted(len(told), 'edit')}, one after the other:", *told]) + wrong


def _insert(arguments: InsertArguments, desk: Desk) -> str:
    path, after = desk.file(arguments.path), arguments.after
    could_run = not why_no_python(path, desk.draft.text(path))
    lines = len(split_lines(desk.draft.text(path))[0])
    if not 0 <= after <= lines:
        raise ToolError(f"{path} has {counted(lines, 'line')}, so that nothing can be put behind line {after}")
    new = split_lines(_with_line_feeds(arguments.inserted))[0]
    path = desk.draft.patch(path, [Hunk(new=new, at=after)])
    done = Edited(path, after + 1, len(new), exact=True)
    return f"edited {_told(done, desk)}{no_python(path, desk.draft.text(path)) if could_run else ''}"


def _edit_every(arguments: EveryPlaceArguments, desk: Desk) -> str:
    path = desk.file(arguments.path)
    search, replace = map(_with_line_feeds, (arguments.search, arguments.replace))
    hunks = every_place(desk.draft.shown(path).replace("\r", ""), search, replace) if arguments.every else []
    if not hunks:
        return _edit(EditArguments(path=path, search=search, replace=replace), desk)
    could_run = not why_no_python(path, desk.draft.text(path))
    path = desk.draft.patch(path, hunks)
    at = ", ".join(str(hunk.at) for hunk in hunks[:_NAMED])
    more = f" and {len(hunks) - _NAMED} more" if len(hunks) > _NAMED else ""
    return f"edited {path} from line {at}{more} on{no_python(path, desk.draft.text(path)) if could_run else ''}"


def _with_line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n")


def _told(done: Edited, desk: Desk) -> str:
    """What a file reads now where it was edited."""
    lines, _ = split_lines(desk.draft.shown(done.path))
    start = max(done.first - _AROUND, 1)
    shown = lines[start - 1 : done.first + done.count - 1 + _AROUND]
    apart = "" if done.exact else "; the lines were found apart from white space, so look at the indentation"
    return f"{done.path}{apart}. It now reads\n{numbered(shown, start, _SHOWN) or '(nothing)'}"


def _edited(desk: Desk, path: str, search: str, replace: str) -> Edited:
    try:
        return desk.draft.edit(path, search, replace)
    except ReplyError:
        shown = desk.draft.shown(path).replace("\r", "")
        meant = lines_meant(path, shown, _with_line_feeds(search), _with_line_feeds(replace))
        if meant is None:
            raise
    return desk.draft.edit(path, *meant)


EDIT = OwnTool(
    "edit",
    EditArguments,
    _edit,
    writes=True,
    also=(Form(EditsArguments, _edits), Form(InsertArguments, _insert), Form(EveryPlaceArguments, _edit_every), PATCH),
)
