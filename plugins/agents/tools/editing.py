"""Editing files of the draft, in the form that models are told of and in those that they know from other agents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from treadle.plugins.agents.tools.tool import Arguments, Desk, Form, OwnTool, ToolError
from treadle.plugins.agents.tools.writing import NamedFile, what_is_wrong

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
    """One edit; without a path of the file that all of them are of. `every`: it is made at every place."""

    search: str
    replace: str
    path: str = ""
    every: bool = False


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
    edit = OneEdit(search=arguments.search, replace=arguments.replace)
    return _checked(desk, [path], lambda: f"edited {_replaced(desk, path, edit)}")


def _edit_every(arguments: EveryPlaceArguments, desk: Desk) -> str:
    path = desk.file(arguments.path)
    edit = OneEdit(search=arguments.search, replace=arguments.replace, every=arguments.every)
    return _checked(desk, [path], lambda: f"edited {_replaced(desk, path, edit)}")


def _edits(arguments: EditsArguments, desk: Desk) -> str:
    named = [edit.path or arguments.path for edit in arguments.edits]
    if not all(named):
        raise ToolError(f"nothing was edited, since edit {named.index('') + 1} of {len(named)} names no file")
    paths = [desk.file(name) for name in named]

    def made() -> str:
        told = [f"made {counted(len(paths), 'edit')}, one after the other:"]
        for number, (path, edit) in enumerate(zip(paths, arguments.edits, strict=True), 1):
            try:
                told.append(f"{number}. {_replaced(desk, path, edit)}")
            except ReplyError as error:
                raise ToolError(
                    f"nothing was edited, since edit {number} of {len(paths)} can't be made: {str(error).rstrip('.')}. "
                    "Send all of them again"
                ) from None
        return "\n".join(told)

    with desk.draft.all_or_none():
        return _checked(desk, paths, made)


def _insert(arguments: InsertArguments, desk: Desk) -> str:
    path, after = desk.file(arguments.path), arguments.after
    lines = len(split_lines(desk.draft.text(path))[0])
    if not 0 <= after <= lines:
        raise ToolError(f"{path} has {counted(lines, 'line')}, so that nothing can be put behind line {after}")
    new = split_lines(_with_line_feeds(arguments.inserted))[0]

    def made() -> str:
        done = Edited(desk.draft.patch(path, [Hunk(new=new, at=after)]), after + 1, len(new), exact=True)
        return f"edited {_told(done, desk)}"

    return _checked(desk, [path], made)


def _checked(desk: Desk, paths: Sequence[str], change: Callable[[], str]) -> str:
    """What is told of a change, and of each file that could be run or read before it, and can't be now."""
    there = [path for path in dict.fromkeys(paths) if desk.draft.exists(path)]
    well = [path for path in there if not what_is_wrong(path, desk.draft.text(path))]
    said = change()
    return said + "".join(what_is_wrong(path, desk.draft.text(path)) for path in well)


def _replaced(desk: Desk, path: str, edit: OneEdit) -> str:
    """Make one edit, and tell of it. One that searches for nothing makes a file."""
    search, replace = map(_with_line_feeds, (edit.search, edit.replace))
    if not search and not desk.draft.exists(path):
        path = desk.draft.write(path, replace)
        return _told(Edited(path, 1, len(split_lines(replace)[0]), exact=True), desk)
    hunks = every_place(desk.draft.shown(path).replace("\r", ""), search, replace) if edit.every and search else []
    if not hunks:
        return _told(_edited(desk, path, search, replace), desk)
    path = desk.draft.patch(path, hunks)
    at = ", ".join(str(hunk.at) for hunk in hunks[:_NAMED])
    more = f" and {len(hunks) - _NAMED} more" if len(hunks) > _NAMED else ""
    return f"{path} from line {at}{more} on"


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
        meant = lines_meant(path, shown, search, replace)
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
