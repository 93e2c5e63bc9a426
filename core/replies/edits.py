"""Replacing lines of a text by others: exactly, once, or not at all.

Nothing is guessed: what is to be replaced must be in the text, line by line. Texts here have line feeds.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from treadle.core.errors import ReplyError

_NEAREST_LINES = 3
_LOOKED_AT = 5000


def replace_once(path: str, text: str, search: Sequence[str], replace: Sequence[str]) -> str:
    """The text with the lines `search`, which must occur exactly once, replaced. Raises `ReplyError` when they occur
    never (naming the nearest lines) or more than once."""
    lines, final = split_lines(text)
    places = occurrences(lines, search)
    if not places:
        raise ReplyError(
            f"the text to replace is not in {path}: {nearest(lines, search)} Copy the lines exactly as they are."
        )
    if len(places) > 1:
        numbers = ", ".join(str(place + 1) for place in places[:5])
        raise ReplyError(
            f"the text to replace is in {path} {len(places)} times (lines {numbers}): "
            "add lines around it until it is there once."
        )
    start = places[0]
    return join_lines([*lines[:start], *replace, *lines[start + len(search) :]], final or not lines)


def nearest(lines: Sequence[str], wanted: Sequence[str]) -> str:
    """A sentence that shows the lines most like the first wanted one that is not there."""
    present = set(lines)
    first = next((line for line in wanted if line.strip() and line not in present), None)
    if first is None:
        return "each line is there, but not one after the other."
    clipped = {line[:200]: number for number, line in reversed(list(enumerate(lines[:_LOOKED_AT], 1)))}
    found = difflib.get_close_matches(first[:200], list(clipped), n=_NEAREST_LINES, cutoff=0.5)
    if not found:
        return f"no line is like {first[:200]!r}."
    return f"{first[:200]!r} is missing; nearest are " + ", ".join(f"line {clipped[f]} {f!r}" for f in found) + "."


def occurrences(lines: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """Where the wanted lines stand one after the other. Knuth-Morris-Pratt, so that no file and no search is slow."""
    if not wanted:
        return []
    failure = [0] * len(wanted)
    matched = 0
    for i in range(1, len(wanted)):
        while matched and wanted[i] != wanted[matched]:
            matched = failure[matched - 1]
        matched += wanted[i] == wanted[matched]
        failure[i] = matched
    places: list[int] = []
    matched = 0
    for i, line in enumerate(lines):
        while matched and line != wanted[matched]:
            matched = failure[matched - 1]
        matched += line == wanted[matched]
        if matched == len(wanted):
            places.append(i - len(wanted) + 1)
            matched = failure[matched - 1]
    return places


def split_lines(text: str) -> tuple[list[str], bool]:
    """The lines, and whether the last one is ended by a line feed (an empty text has no lines and counts as ended)."""
    lines = text.split("\n")
    final = lines[-1] == ""
    if final:
        lines.pop()
    return lines, final


def join_lines(lines: Sequence[str], final: bool) -> str:
    """The text of these lines; `final`: the last one is ended by a line feed."""
    return "\n".join(lines) + ("\n" if final and lines else "")
