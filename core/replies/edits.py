"""Replacing lines of a text by others: exactly, else apart from white space; once, or not at all.

What is to be replaced must be in the text, line by line. Where models get white space wrong it is at the end of lines,
or the indentation of all lines alike: then the lines that take their place are moved as well. Texts here have line
feeds; where only some lines end with CR LF, each keeps its own ending.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from treadle.core.errors import ReplyError
from treadle.core.redaction import REDACTED
from treadle.core.replies.file_text import as_shown

_NEAREST_LINES = 3
_LOOKED_AT = 5000
_LOOSE_PLACES = 20
"""Places at which lines are compared apart from white space; where there are more, none of them is the one meant."""


@dataclass(frozen=True)
class Place:
    """Where the searched lines stand: from the index `start` on. Where they are there only apart from white space,
    `exact` is False, and the text's own lines are indented by `more`, or lack the `less` of the searched ones."""

    start: int
    exact: bool = True
    more: str = ""
    less: str = ""

    def fitted(self, path: str, replace: Sequence[str]) -> list[str]:
        """The lines that take their place, moved as the searched ones are. Raises `ReplyError` when they can't be."""
        moved = []
        for line in replace:
            if line.strip() and not line.startswith(self.less):
                raise ReplyError(
                    f"the lines to replace are indented otherwise in {path} (from line {self.start + 1} on), and the "
                    f"new line {line[:200]!r} can't be moved alike: copy the lines exactly as they are"
                )
            moved.append(self.more + line[len(self.less) :] if line.strip() else line)
        return moved


@dataclass(frozen=True)
class Replaced:
    """The text after `count` lines came to stand at `place`."""

    text: str
    place: Place
    count: int


class OwnLines:
    """The lines of a file's text as models know them (`shown`, by `as_shown`), where some end with CR LF and others
    don't, without it. Those that stay, or take another one's place, keep what is their own."""

    def __init__(self, path: str, text: str) -> None:
        self._path = path
        self.own, self.final = split_lines(text)
        self.shown = [line.removesuffix("\r") for line in as_shown(text).split("\n")[: len(self.own)]]
        self._holds_secrets = _holds_secrets(text)

    def replacing(self, start: int, end: int, new: Sequence[str]) -> list[str]:
        """The new lines as the text's own, in place of those from `start` to before `end`. Raises `ReplyError` for one
        that holds the mark of a secret which the model was not shown."""
        there = self.own[start:end]
        kept: dict[str, set[str]] = {}
        for own, shown in zip(there, self.shown[start:end], strict=True):
            kept.setdefault(shown, set()).add(own)
        ends = ["\r" if line.endswith("\r") else "" for line in there or self.own[max(start - 1, 0) : start]] or [""]
        made = []
        for number, line in enumerate(new):
            known = kept.get(line, set())
            if len(known) == 1:
                made.append(next(iter(known)))
            elif number < len(there) and there[number] in known:
                made.append(there[number])
            else:
                if REDACTED in line and self._holds_secrets:
                    raise secret_left_out(self._path, line)
                made.append(line + ends[min(number, len(ends) - 1)])
        if made and there and end == len(self.own) and not self.final and not there[-1].endswith("\r"):
            made[-1] = made[-1].removesuffix("\r")  # nothing ends it, so it has no part of an ending
        return made


def secret_left_out(path: str, line: str) -> ReplyError:
    """What a model is told that sends the mark of a secret as if it were the secret."""
    return ReplyError(
        f"the line {line.strip()[:80]!r} for {path} holds {REDACTED}, which stands for a secret that you are not "
        "shown: edit other lines, and leave that one as it is"
    )


def refuse_lost_secrets(path: str, text: str, old: str) -> None:
    """Raise `ReplyError` when the whole text that is to take the place of `old` has the mark of a secret in it."""
    if REDACTED in text and _holds_secrets(old):
        raise secret_left_out(path, next(line for line in text.split("\n") if REDACTED in line))


def refuse_new_marks(path: str, text: str, was: str) -> None:
    """Raise `ReplyError` when the text, made of the file by however many steps, has more marks of secrets in it than
    the file had at first, which `was` one with secrets: one step may take the secret away, the next put the mark there
    again."""
    if text.count(REDACTED) > was.count(REDACTED) and _holds_secrets(was):
        marked = [line for line in text.split("\n") if REDACTED in line]
        there = set(was.split("\n"))
        raise secret_left_out(path, next((line for line in marked if line not in there), marked[-1]))


def _holds_secrets(text: str) -> bool:
    return as_shown(text).count(REDACTED) > text.count(REDACTED)


def replace_lines(path: str, text: str, search: Sequence[str], replace: Sequence[str]) -> Replaced:
    """Replace the lines `search`, which must occur exactly once. Raises `ReplyError` as `find_once`."""
    lines = OwnLines(path, text)
    place = find_once(path, lines.shown, search)
    new = place.fitted(path, replace)
    end = place.start + len(search)
    whole = [*lines.own[: place.start], *lines.replacing(place.start, end, new), *lines.own[end:]]
    return Replaced(join_lines(whole, lines.final or not lines.own), place, len(new))


def replace_once(path: str, text: str, search: Sequence[str], replace: Sequence[str]) -> str:
    """The text with the lines `search`, which must occur exactly once, replaced. Raises `ReplyError` as `find_once`."""
    return replace_lines(path, text, search, replace).text


def find_once(path: str, lines: Sequence[str], search: Sequence[str]) -> Place:
    """The one place where the lines `search` stand. Raises `ReplyError` when they occur never (naming the nearest
    lines) or more than once."""
    places = places_of(lines, search)
    if not places:
        raise ReplyError(
            f"the text to replace is not in {path}: {nearest(lines, search)} Copy the lines exactly as they are."
        )
    if len(places) > 1:
        numbers = ", ".join(str(place.start + 1) for place in places[:5])
        apart = "" if places[0].exact else " (apart from white space)"
        raise ReplyError(
            f"the text to replace is in {path} {len(places)} times{apart} (lines {numbers}): "
            "add lines around it until it is there once."
        )
    return places[0]


def places_of(lines: Sequence[str], search: Sequence[str]) -> list[Place]:
    """Where the lines stand: exactly, else apart from white space."""
    return [Place(start) for start in occurrences(lines, search)] or _apart_from_white_space(lines, search)


def _apart_from_white_space(lines: Sequence[str], search: Sequence[str]) -> list[Place]:
    if not any(line.strip() for line in search):
        return []
    starts = occurrences([line.strip() for line in lines], [line.strip() for line in search])
    if len(starts) > _LOOSE_PLACES:
        return [Place(start, exact=False) for start in starts]
    places = (_moved(start, lines[start : start + len(search)], search) for start in starts)
    return [place for place in places if place is not None]


def _moved(start: int, there: Sequence[str], search: Sequence[str]) -> Place | None:
    """The place, when all lines are indented alike more, or alike less, than the searched ones."""
    indents = {(_indent(own), _indent(asked)) for own, asked in zip(there, search, strict=True) if own.strip()}
    own, asked = next(iter(indents))
    more, less = own.removesuffix(asked), asked.removesuffix(own)
    if own.endswith(asked) and all(inner == more + outer for inner, outer in indents):
        return Place(start, exact=False, more=more)
    if asked.endswith(own) and all(less + inner == outer for inner, outer in indents):
        return Place(start, exact=False, less=less)
    return None


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


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
