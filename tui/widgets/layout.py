"""Laying lines out for the screen: what is open, in rows that fit a width.

All text that is drawn in rows passes here, so that it is made fit for a terminal in one place. A row is plain text in
pieces, each with the role by which it is coloured; there is no markup in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import ClassVar

from rich.cells import cell_len, split_graphemes

from treadle.core.counting import are, counted
from treadle.tui import durations
from treadle.tui.safe_text import clean, clean_line
from treadle.tui.story.line import SIGNS, Kind, Line, State

Piece = tuple[str, str]
"""Text, and its role: the name of a component class without `row--`."""

TAB = 4

MOST_CHARACTERS = 10_000
"""Characters of one line that are shown: what is beyond that is counted. A line is laid out again at each drawing."""

_LEAST_TEXT = 8
_INDENT = 2
_HEAD = 4  # cells of what stands before a title: whether it opens, and its state
_WRAPPED: frozenset[Kind] = frozenset({"detail", "text", "code", "event", "question", "choice", "result"})
PRINTED: frozenset[Kind] = frozenset({"text", "code"})


@dataclass(frozen=True, slots=True)
class Glyphs:
    """What stands for a state, and before what can be opened. No meaning is in a colour alone. `levels` are those of a
    plot, from the least to the most, and before them what stands where there is no value."""

    states: Mapping[State, str]
    closed: str
    opened: str
    more: str
    levels: str


UNICODE = Glyphs(SIGNS, "▸", "▾", "…", "╌▁▂▃▄▅▆▇█")
ASCII = Glyphs(
    {"running": "*", "ok": "+", "failed": "x", "waits": "?", "said": "-", "stopped": "#"}, ">", "v", "~", "_.:-=+*%#"
)


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its pieces, the line that it is of, whether it is the first of that line's rows, and how many lines that
    line is below. A row that goes on begins with a piece that is no part of the text. `whole` is all that the line says
    behind its head, in the first of several rows, or where it was cut to one; else "". That head are `HEAD` pieces.
    `side_by_side`: two lines stand in it, one beside the other, and it is text of its own."""

    HEAD: ClassVar[int] = 3

    line: Line
    pieces: tuple[Piece, ...]
    first: bool = True
    depth: int = 0
    whole: str = ""
    side_by_side: bool = False

    @property
    def text(self) -> str:
        """What it says."""
        return "".join(text for text, _ in self.pieces)


def rows_of(
    lines: list[Line],
    width: int,
    is_open: Callable[[Line], bool],
    glyphs: Glyphs = UNICODE,
    result_of: Callable[[Line], str] = lambda line: line.result,
    seconds_of: Callable[[Line], float | None] = lambda line: line.seconds,
    *,
    brief: bool = False,
) -> list[Row]:
    """The rows of these lines and of what is open below them. `result_of` and `seconds_of` say what a line that still
    runs comes to by now. `brief`: no line takes more than one row."""
    rows: list[Row] = []
    waiting = [(line, 0) for line in reversed(lines)]
    while waiting:
        line, depth = waiting.pop()
        opened = line.opens and is_open(line)
        wraps = not brief and (opened or line.kind in _WRAPPED)
        rows += _rows(line, depth, width, glyphs, opened, wraps, result_of(line), seconds_of(line))
        if opened:
            waiting += [(below, depth + 1) for below in reversed(line.below())]
    return rows


def _rows(
    line: Line, depth: int, width: int, glyphs: Glyphs, opened: bool, wraps: bool, result: str, seconds: float | None
) -> Iterator[Row]:
    indent = " " * min(depth * _INDENT, max(0, width - _HEAD - _LEAST_TEXT))
    if line.kind in PRINTED:
        yield from _printed(line, depth, indent, width)
        return
    marker = (glyphs.opened if opened else glyphs.closed) if line.opens else " "
    head: tuple[Piece, ...] = (
        (indent, "text"),
        (f"{marker} ", "marker"),
        (f"{glyphs.states[line.state]} ", line.state),
    )
    begins = len(indent) + _HEAD
    took = durations.took(seconds) if seconds is not None else ""
    room = width - begins - (len(took) + 2 if took else 0)
    if room < _LEAST_TEXT:
        took, room = "", max(1, width - begins)
    left_out = sum(max(0, len(text) - MOST_CHARACTERS) for text in (line.title, result))
    title, result = clean_line(line.title[:MOST_CHARACTERS]), clean_line(result[:MOST_CHARACTERS])
    role = "title" if line.kind in ("task", "attempt") else "text"
    pieces: list[Piece] = [(title, role)]
    if result:
        pieces += [(" " * max(2, line.column + 2 - cell_len(title)), "text"), (result, "result")]
    if left_out:
        pieces.append((f" {_left_out(left_out)}", "result"))
    # Of what is cut to one row, no more than that is looked at.
    wrapped = list(_wrap(pieces, room) if wraps else islice(_wrap(pieces, room), 2)) or [()]
    whole = "".join(text for text, _ in pieces) if len(wrapped) > 1 else ""
    if len(wrapped) > 1 and not wraps:
        wrapped = [_cut(wrapped[0], room, glyphs.more)]
    for number, part in enumerate(wrapped):
        if number:
            yield Row(line, ((" " * begins, "text"), *part), first=False, depth=depth)
        elif took:
            gap = " " * (room - sum(cell_len(text) for text, _ in part) + 2)
            yield Row(line, (*head, *part, (gap, "text"), (took, "time")), depth=depth, whole=whole)
        else:
            yield Row(line, (*head, *part), depth=depth, whole=whole)


def _printed(line: Line, depth: int, indent: str, width: int) -> Iterator[Row]:
    """What a program printed, or a line of code: every character stays where it was. A line of code goes on behind the
    column of its sign, so that what goes on looks like no line that was added or removed."""
    text = clean(line.title[:MOST_CHARACTERS]).replace("\n", " ").expandtabs(TAB)
    is_code = line.kind == "code"
    role = _role_of_code(text) if is_code else "printed"
    goes_on = f"{indent} " if is_code else indent
    room = max(_LEAST_TEXT, width - len(goes_on))
    # The sign itself is one cell, whatever it is, and stands where the others have a blank.
    sign, rest = (text[:1], text[1:]) if is_code and cell_len(text[:1]) == 1 else ("", text)
    parts: Iterable[tuple[Piece, ...]] = _wrap([(rest, role)], room, words=False)
    if len(line.title) > MOST_CHARACTERS:
        parts = chain(parts, _wrap([(_left_out(len(line.title) - MOST_CHARACTERS), "result")], room))
    for number, part in enumerate(parts):
        if number:
            yield Row(line, ((goes_on, "text"), *part), first=False, depth=depth)
        else:
            yield Row(line, ((indent, "text"), *(((sign, role),) if sign else ()), *part), depth=depth)


def _left_out(count: int) -> str:
    return f"[{counted(count, 'more character')} of this line {are(count)} left out here]"


def _role_of_code(text: str) -> str:
    if text.startswith(("+++", "---", "diff ", "index ", "new file", "deleted file", "similarity", "rename ")):
        return "heading"
    if text.startswith("@@"):
        return "hunk"
    return {"+": "added", "-": "removed"}.get(text[:1], "code")


def in_rows(pieces: list[Piece], width: int) -> Iterator[tuple[Piece, ...]]:
    """Pieces that are fit for a terminal in rows of so many cells, each character where it was: as many of them as are
    shown of a line."""
    shown: list[Piece] = []
    room = MOST_CHARACTERS
    for text, role in pieces:
        if room:
            shown.append((text[:room], role))
        room -= min(room, len(text))
    yield from _wrap(shown, width, words=False)
    if left_out := sum(len(text) for text, _ in pieces) - MOST_CHARACTERS + room:
        yield from _wrap([(_left_out(left_out), "result")], width)


def fitted(text: str, width: int) -> str:
    """As much of a text that is fit for a terminal as has room in so many cells."""
    return _split(text, width)[0]


def _wrap(pieces: list[Piece], width: int, *, words: bool = True) -> Iterator[tuple[Piece, ...]]:
    """The pieces in rows of so many cells, broken between words where there are any."""
    if sum(cell_len(text) for text, _ in pieces) <= width:
        yield tuple(piece for piece in pieces if piece[0])
        return
    row: list[Piece] = []
    left = width
    for text, role in pieces:
        for part in _parts(text) if words else [text]:
            fits = part
            if words and row and cell_len(part) > left and cell_len(part.lstrip(" ")) <= width:
                yield tuple(row)
                row, left, fits = [], width, part.lstrip(" ")
            for number, (piece, wide) in enumerate(_broken(fits, left, width)):
                if number:
                    yield tuple(row)
                    row, left = [], width
                if piece:
                    row.append((piece, role))
                    left -= wide
    if row:
        yield tuple(row)


def _broken(text: str, left: int, width: int) -> Iterator[tuple[str, int]]:
    """The text in parts with their cells: the first has room in `left` cells and is empty where nothing has, each of
    the others has room in `width`. The text is looked through once, however many parts that are."""
    begins = used = 0
    room = left
    for start, _, wide in split_graphemes(text)[0]:
        if used + wide > room and (used or room < width):  # else it is one character that is wider than a row
            yield text[begins:start], used
            begins, used, room = start, 0, width
        used += wide
    yield text[begins:], used


def _parts(text: str) -> Iterator[str]:
    """Words, each with the blanks before it."""
    start = 0
    in_word = False
    for place, char in enumerate(text):
        if char == " " and in_word:
            yield text[start:place]
            start, in_word = place, False
        elif char != " ":
            in_word = True
    if start < len(text):
        yield text[start:]


def _split(text: str, cells: int) -> tuple[str, str]:
    """The beginning that fits into so many cells, and the rest."""
    used = place = 0
    for _, end, wide in split_graphemes(text)[0]:
        used += wide
        if used > cells:
            break
        place = end
    return text[:place], text[place:]


def _cut(pieces: tuple[Piece, ...], width: int, more: str) -> tuple[Piece, ...]:
    used = sum(cell_len(text) for text, _ in pieces)
    if used + 2 <= width:
        return (*pieces, (f" {more}", "result"))
    text, role = pieces[-1]
    fits, _ = _split(text, max(0, cell_len(text) - (used + 1 - width)))
    return (*pieces[:-1], (fits + more, role))
