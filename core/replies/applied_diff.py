"""Applying the hunks of a diff to the text of a file.

What a hunk takes away must be in the file once, line by line: exactly, else apart from white space, as for an edit.
Texts here have line feeds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from treadle.core.errors import ReplyError
from treadle.core.replies.edits import OwnLines, Place, join_lines, nearest, places_of
from treadle.core.replies.unified_diff import Hunk

_MOST_LOOKED_AT = 2_000_000
"""Lines that are compared for all hunks of a file: some seconds of work."""


def apply_diff(path: str, text: str, hunks: Sequence[Hunk]) -> str:
    """The text with every hunk applied where its old lines are. Raises `ReplyError` when they are nowhere, when they
    are at several places and the header does not settle which, or when two hunks overlap."""
    whole = OwnLines(path, text)
    if len(hunks) * len(whole.own) > _MOST_LOOKED_AT:
        raise ReplyError(
            f"the diff has {len(hunks)} hunks for the {len(whole.own)} lines of {path}: send fewer at once"
        )
    lines, final = whole.shown, whole.final
    spans: list[tuple[int, int, list[str]]] = []
    for number, hunk in enumerate(hunks, 1):
        place = _place(path, number, lines, hunk)
        spans.append(_changed(path, place, hunk))
        if place.start + len(hunk.old) == len(lines) and (hunk.old_ends or hunk.new_ends):
            final = not hunk.new_ends
    spans.sort(key=lambda span: (span[0], span[1]))
    for (_, end, _), (start, _, _) in pairwise(spans):
        if start < end:
            raise ReplyError(
                f"two hunks of the diff change the same lines of {path} (line {start + 1}): join them to one."
            )
    own = list(whole.own)
    for start, end, new in reversed(spans):
        own[start:end] = whole.replacing(start, end, new)
    return join_lines(own, final)


def created_text(hunks: Sequence[Hunk]) -> str:
    """The text of a file that the diff creates. Raises `ReplyError` when its hunks take lines away."""
    if any(hunk.old for hunk in hunks):
        raise ReplyError(
            "the diff creates a file, but its hunks hold lines of an old one: every line must start with +"
        )
    lines = [line for hunk in hunks for line in hunk.new]
    return join_lines(lines, not any(hunk.new_ends for hunk in hunks))


def _changed(path: str, place: Place, hunk: Hunk) -> tuple[int, int, list[str]]:
    """From where to where lines change, and those that take their place: what a hunk shows around them stays the
    file's own."""
    shorter = min(len(hunk.old), len(hunk.new))
    above = next((n for n in range(shorter) if hunk.old[n] != hunk.new[n]), shorter)
    below = next((n for n in range(shorter - above) if hunk.old[-1 - n] != hunk.new[-1 - n]), shorter - above)
    new = place.fitted(path, hunk.new[above : len(hunk.new) - below])
    return place.start + above, place.start + len(hunk.old) - below, new


def _place(path: str, number: int, lines: list[str], hunk: Hunk) -> Place:
    if not hunk.old:
        if not lines or hunk.at_end:
            return Place(len(lines))
        if hunk.at is not None and hunk.at <= len(lines):
            return Place(hunk.at)
        raise ReplyError(
            f"hunk {number} of the diff for {path} has no line that says where it belongs: add some around it."
        )
    places = places_of(lines, hunk.old)
    if not places:
        raise ReplyError(
            f"hunk {number} of the diff does not fit {path}: {nearest(lines, hunk.old)} "
            "Copy the lines around the change exactly."
        )
    if len(places) == 1:
        return places[0]
    meant = _meant(places, lines, hunk)
    if len(meant) == 1:
        return meant[0]
    numbers = ", ".join(str(place.start + 1) for place in places[:5])
    raise ReplyError(
        f"hunk {number} of the diff fits {path} at {len(places)} places (lines {numbers}): "
        "add lines around it until it fits once."
    )


def _meant(places: Sequence[Place], lines: Sequence[str], hunk: Hunk) -> list[Place]:
    """Those of several places of which the hunk says that it is there."""
    if hunk.at_end:
        return [place for place in places if not any(map(str.strip, lines[place.start + len(hunk.old) :]))]
    if hunk.within:
        inside = lines_within(lines, hunk.within)
        return [place for place in places if place.start in inside]
    return [place for place in places if hunk.at is not None and hunk.at - 1 == place.start]


def lines_within(lines: Sequence[str], headers: Sequence[str]) -> frozenset[int]:
    """The lines from each line on that begins so to the end of its block, and so on within these."""
    inside = frozenset(range(len(lines)))
    for header in headers:
        found: set[int] = set()
        for start in sorted(inside):
            if start not in found and _begins_so(lines[start], header):
                found.update(range(start, _end_of_block(lines, start)))
        inside = frozenset(found & inside)
    return inside


def _begins_so(line: str, header: str) -> bool:
    said, begins = line.strip(), header.strip()
    return said.startswith(begins) and re.match(r"\w\w", f"{begins[-1:]}{said[len(begins) :][:1]}") is None


def _end_of_block(lines: Sequence[str], start: int) -> int:
    """Before the first line below that is indented no more, and closes no bracket."""
    indent = len(lines[start]) - len(lines[start].lstrip())
    for number in range(start + 1, len(lines)):
        said = lines[number].lstrip()
        if said and len(lines[number]) - len(said) <= indent and said[0] not in ")]}":
            return number
    return len(lines)
