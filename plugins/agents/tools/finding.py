"""Finding files, and lines in them."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

from msgspec import Meta

from treadle.core.counting import counted
from treadle.core.errors import ReplyError
from treadle.core.redaction import valid_text
from treadle.core.replies.file_text import as_shown, text_of
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.hidden import refuse_hidden
from treadle.plugins.agents.tools.capped import clipped
from treadle.plugins.agents.tools.patterns import LONGEST_LINE, Pattern
from treadle.plugins.agents.tools.tool import Arguments, Desk, OwnTool, ToolError

_MOST_FILES = 200
_MOST_HITS = 60
_MOST_BYTES = 200_000_000
"""Bytes that are searched at once: with the slowest of expressions a quarter of a minute of work."""
_LARGEST = 1_000_000
"""Bytes: what is larger was not written by hand, and is not searched."""
_HEAD = 8_000
"""Bytes in which what is no text has a NUL, as git has it."""


class ListArguments(Arguments, frozen=True, kw_only=True):
    """List the names of the project's files."""

    path: Annotated[
        str, Meta(description="Only these: a folder, or a pattern with * and ** as in src/**/*.py. Without it, all")
    ] = ""


class SearchArguments(Arguments, frozen=True, kw_only=True):
    """Find the lines of the project's text files in which a regular expression of Python (or a plain text) occurs."""

    pattern: Annotated[str, Meta(description="What to look for, within one line", min_length=1)]
    path: Annotated[str, Meta(description="Only in these: a file, a folder, or a pattern as in src/**/*.py")] = ""
    plain: Annotated[bool, Meta(description="The pattern is plain text, no regular expression")] = False
    ignore_case: Annotated[bool, Meta(description="Take capital and small letters as the same")] = False


def _list(arguments: ListArguments, desk: Desk) -> str:
    return list_of(arguments.path, desk)


def list_of(path: str, desk: Desk) -> str:
    """The files that fit, or the folders that hold them where they are too many."""
    names = _files(desk.draft, desk.named(path))
    if len(names) <= _MOST_FILES:
        return "\n".join([counted(len(names), "file"), *names])
    depth = max(d for d in range(1, 12) if d == 1 or len(_folders(names, d)) <= _MOST_FILES)
    folders = [
        f"{folder}  ({counted(count, 'file')})" if folder.endswith("/") else folder
        for folder, count in _folders(names, depth)
    ]
    return "\n".join([f"{len(names)} files, too many to list: name one of these folders", *folders])


def _folders(names: tuple[str, ...], depth: int) -> list[tuple[str, int]]:
    """The folders at that depth with the number of files in each, and the files above them."""
    parts = (name.split("/") for name in names)
    return sorted(Counter("/".join(p[:depth]) + ("/" if len(p) > depth else "") for p in parts).items())


def _search(arguments: SearchArguments, desk: Desk) -> str:
    pattern = Pattern(arguments.pattern, plain=arguments.plain, ignore_case=arguments.ignore_case)
    names = _files(desk.draft, desk.named(arguments.path))
    hits: list[str] = []
    skipped: list[str] = []
    searched = 0
    for name in names:
        try:
            content = _beginning(desk.draft, name)
        except ReplyError:
            continue  # gone since it was listed, or a link to what may not be shown
        searched += len(content)
        if b"\0" in content:
            continue
        if len(content) > _LARGEST:
            skipped.append(name)
            content = b""
        text = text_of(name, content)
        shown: list[str] | None = None
        for number, line in enumerate(valid_text(text).split("\n"), 1):
            if not pattern.occurs(line):
                continue
            # Only now: few files have such a line, and what is no secret shows as it is.
            shown = as_shown(text).split("\n") if shown is None else shown
            if shown[number - 1] != line and not pattern.occurs(line := shown[number - 1]):
                continue
            hits.append(f"{name}:{number}: {clipped(line.strip(), 200)}")
            if len(hits) == _MOST_HITS:
                return "\n".join([*hits, f"[... stopped after {_MOST_HITS} lines; narrow the pattern or the path ...]"])
            if pattern.exhausted:
                break
        if pattern.exhausted or searched > _MOST_BYTES:
            much = "the pattern takes long" if pattern.exhausted else f"that were {_MOST_BYTES} bytes"
            return "\n".join([*hits, f"[... stopped in {name}: {much}; simplify the pattern or narrow the path ...]"])
    if skipped:
        hits.append(f"[... not searched, for their size: {', '.join(skipped[:5])} ...]")
    if pattern.cut:
        hits.append(f"[... of lines longer than {LONGEST_LINE} characters only so much was searched ...]")
    return "\n".join(hits) or f"{arguments.pattern!r} occurs in none of {counted(len(names), 'file')}"


def _beginning(draft: Draft, name: str) -> bytes:
    """So much of the file as tells whether it is text, and not too large; then it is all of it."""
    head = draft.peek(name, _HEAD)
    return head if len(head) < _HEAD or b"\0" in head else draft.peek(name, _LARGEST + 1)


def _files(draft: Draft, path: str) -> tuple[str, ...]:
    names = draft.glob(path)
    if not names:
        refuse_hidden(path.strip().removeprefix("./"))
        raise ToolError(
            f"no file fits {path!r}: patterns know *, ? and ** only; list without a path to see what there is"
        )
    return names


LIST = OwnTool("list", ListArguments, _list, more="name a folder")
SEARCH = OwnTool("search", SearchArguments, _search, more="narrow the pattern or the path")
