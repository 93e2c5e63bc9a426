"""Sections of a Markdown file that are sent without its title, and their places in it.

Who is to document an option answers with the section on it, under the name of the whole file or without one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from treadle.core.replies.fence_lines import Fence, opened_by

_HEADING = re.compile(r" {0,3}(?P<signs>#{1,6})(?:[ \t]+(?P<words>.*?))?(?:[ \t]+#+)?[ \t]*")


@dataclass(frozen=True)
class _Section:
    """From the line of its heading to before the next one that is no deeper."""

    level: int
    heading: str
    begins: int
    ends: int


def begins_alike(old: str, sent: str) -> bool:
    """Whether both begin with the same heading: then all of the file is meant."""
    first, other = (_sections(text.split("\n"))[:1] for text in (old, sent))
    return bool(first and other) and (first[0].level, first[0].heading) == (other[0].level, other[0].heading)


def with_sections(old: str, sent: str) -> str | None:
    """The old text with the sections that were sent: each in the place of the one with its heading, a new one behind
    the one that it was sent behind, else at the end. None where more than sections was sent, or it can't be told where
    they belong."""
    lines, text = old.rstrip("\n").split("\n"), sent.strip("\n").split("\n")
    there, found = _sections(lines), _sections(text)
    if not there or not found or found[0].begins:
        return None
    title, level = there[0].level, found[0].level
    if level <= title or min(each.level for each in found) < level or sum(each.level <= title for each in there) != 1:
        return None
    at: int | None = None
    for new in [each for each in found if each.level == level]:
        known = [each for each in _sections(lines) if (each.level, each.heading) == (level, new.heading)]
        if len(known) > 1:
            return None
        put = _without_blank_ends(text[new.begins : new.ends])
        if known:
            begins, ends = known[0].begins, known[0].ends
        else:
            begins = ends = len(lines) if at is None else at
        before, behind = _without_blank_ends(lines[:begins]), lines[ends:]
        lines = [*before, "", *put, *([""] if behind else []), *behind]
        at = len(before) + 1 + len(put) + (1 if behind else 0)
    return "\n".join(lines) + "\n"


def _sections(lines: Sequence[str]) -> list[_Section]:
    headings: list[tuple[int, str, int]] = []
    fence: Fence | None = None
    for at, line in enumerate(lines):
        if fence is not None:
            fence = None if fence.is_closed_by(line) else fence
        elif (fence := opened_by(line)) is None and (heading := _HEADING.fullmatch(line)):
            headings.append((len(heading["signs"]), (heading["words"] or "").strip(), at))
    found: list[_Section] = []
    for number, (level, words, begins) in enumerate(headings):
        ends = next((at for other, _, at in headings[number + 1 :] if other <= level), len(lines))
        found.append(_Section(level, words, begins, ends))
    return found


def _without_blank_ends(lines: Sequence[str]) -> list[str]:
    end = max((at for at, line in enumerate(lines, 1) if line.strip()), default=0)
    return list(lines[:end])
