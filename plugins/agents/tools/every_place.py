"""A text replaced at each place where it stands, as lines that change."""

from __future__ import annotations

from collections.abc import Sequence

from treadle.core.replies.edits import split_lines
from treadle.core.replies.unified_diff import Hunk
from treadle.plugins.agents.tools.meant_lines import word_places


def every_place(text: str, search: str, replace: str) -> list[Hunk]:
    """The lines that change, from the first on; none where the text stands nowhere, or in too many places. Within a
    longer word it is not meant."""
    if search.endswith("\n") and replace:
        replace = replace.removesuffix("\n") + "\n"
    hunks: list[Hunk] = []
    begins = ends = 0
    inside: list[int] = []
    for start in word_places(text, search):
        if inside and start < inside[-1] + len(search):
            continue  # it overlaps the one before
        if inside and start >= ends:
            hunks.append(_hunk(text, begins, ends, inside, search, replace))
            inside = []
        begins = begins if inside else text.rfind("\n", 0, start) + 1
        ends = _line_end(text, start + len(search) - 1)
        inside.append(start)
    return [*hunks, _hunk(text, begins, ends, inside, search, replace)] if inside else hunks


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at) + 1
    return end or len(text)


def _hunk(text: str, begins: int, ends: int, starts: Sequence[int], search: str, replace: str) -> Hunk:
    new, at = "", begins
    for start in starts:
        new += text[at:start] + replace
        at = start + len(search)
    new += text[at:ends]
    return Hunk(old=split_lines(text[begins:ends])[0], new=split_lines(new)[0], at=text.count("\n", 0, begins) + 1)
