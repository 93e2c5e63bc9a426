"""Reading files: their outline, their lines."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from treadle.core.replies.edits import split_lines
from treadle.plugins.agents.tools.capped import MOST, numbered
from treadle.plugins.agents.tools.finding import list_of
from treadle.plugins.agents.tools.outlines import outline_of
from treadle.plugins.agents.tools.tool import Arguments, Desk, Form, OwnTool, ToolError

_SHOWN = MOST - 1_500
"""Characters of lines that are shown at once: with what is said of them, no more than an answer may have."""


class OutlineArguments(Arguments, frozen=True, kw_only=True):
    """Show what a file holds without its code: the classes and functions of Python with their signatures and the
    numbers of their lines, the headings or definitions of other files. Cheaper than reading: use it first."""

    path: Annotated[str, Meta(description="The file, relative to the project")]


class ReadArguments(Arguments, frozen=True, kw_only=True):
    """Show lines of a text file, each with its number (which is not part of the line)."""

    path: Annotated[str, Meta(description="The file, relative to the project")]
    start: Annotated[int, Meta(ge=1, description="The first line to show, from 1")] = 1
    end: Annotated[int | None, Meta(description="The last line to show; without it, the file's last")] = None


class RangeArguments(Arguments, frozen=True, kw_only=True):
    """Lines from one to another, to the end where that is -1."""

    path: str
    range: tuple[int, int]


class LimitArguments(Arguments, frozen=True, kw_only=True):
    """So many lines."""

    path: str
    start: int = 1
    limit: Annotated[int, Meta(ge=1)]


def _outline(arguments: OutlineArguments, desk: Desk) -> str:
    path = desk.file(arguments.path)
    outline = outline_of(path, desk.draft.read(path))
    return outline if "\n" in outline else f"{outline}\nnothing in it can be outlined: read its lines"


def _read(arguments: ReadArguments, desk: Desk) -> str:
    path, start = desk.file(arguments.path), arguments.start
    if desk.draft.is_folder(path):
        return list_of(path, desk)
    content = desk.draft.read(path)
    if b"\0" in content:
        raise ToolError(f"{path} is no text: it has {len(content)} bytes, NUL among them")
    lines, _ = split_lines(desk.draft.shown(path))
    if not lines:
        return f"{path} is empty"
    end = len(lines) if arguments.end is None else min(arguments.end, len(lines))
    if start > len(lines):
        raise ToolError(f"{path} has {len(lines)} lines: start at one of them")
    if end < start:
        raise ToolError(f"the last line to read, {end}, comes before the first, {start}")
    shown = numbered(lines[start - 1 : end], start, _SHOWN)
    return f"{path}, lines {start} to {end} of {len(lines)}\n{shown}"


def _read_range(arguments: RangeArguments, desk: Desk) -> str:
    start, end = arguments.range
    return _read(ReadArguments(path=arguments.path, start=max(start, 1), end=None if end == -1 else end), desk)


def _read_some(arguments: LimitArguments, desk: Desk) -> str:
    start = max(arguments.start, 1)
    return _read(ReadArguments(path=arguments.path, start=start, end=start + arguments.limit - 1), desk)


OUTLINE = OwnTool("outline", OutlineArguments, _outline, more="read the lines that matter")
READ = OwnTool(
    "read",
    ReadArguments,
    _read,
    more="read fewer lines at once",
    also=(Form(RangeArguments, _read_range), Form(LimitArguments, _read_some)),
)
