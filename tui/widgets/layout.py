"""Laying lines out for the screen: what is open, in rows that fit a width.

All text that is drawn in rows passes here, so that it is made fit for a terminal in one place. A row is plain text in
pieces, each with the role by which it is coloured; there is no markup in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from rich.cells import cell_len, split_graphemes

from treadle.tui import durations
from treadle.tui.safe_text import clean, clean_line
from treadle.tui.story.line import SIGNS, Kind, Line, State

Piece = tuple[str, str]
"""Text, and its role: the name of a component class without `row--`."""

TAB = 4
_LEAST_TEXT = 8
_INDENT = 2
_HEAD = 4  # cells of what stands before a title: whether it opens, and its state
_WRAPPED: frozenset[Kind] = frozenset({"detail", "text", "code", "event", "question", "result"})
_PRINTED: frozenset[Kind] = frozenset({"text", "code"})


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
    line is below."""

    line: Line
    pieces: tuple[Piece, ...]
    first: bool = True
    depth: int = 0

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
    if line.kind in _PRINTED:
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
    title = clean_line(line.title)
    role = "title" if line.kind in ("task", "attempt") else "text"
    pieces: list[Piece] = [(title, role)]
    if result:
        pieces += [(" " * max(2, line.column + 2 - cell_len(title)), "text"), (clean_line(result), "result")]
    wrapped = list(_wrap(pieces, room)) or [()]
    if len(wrapped) > 1 and not wraps:
        wrapped = [_cut(wrapped[0], room, glyphs.more)]
    for number, part in enumerate(wrapped):
        if number:
            yield Row(line, ((" " * begins, "text"), *part), first=False, depth=depth)
        elif took:
            gap = " " * (room - sum(cell_len(text) for text, _ in part) + 2)
            yield Row(line, (*head, *part, (gap, "text"), (took, "time")), depth=depth)
        else:
            yield Row(line, (*head, *part), depth=depth)


def _printed(line: Line, depth: int, indent: str, width: int) -> Iterator[Row]:
    """What a program printed, or a line of code: every character stays where it was."""
    text = clean(line.title).replace("\n", " ").expandtabs(TAB)
    role = _role_of_code(text) if line.kind == "code" else "printed"
    for number, part in enumerate(_wrap([(text, role)], max(_LEAST_TEXT, width - len(indent)), words=False)):
        yield Row(line, ((indent, "text"), *part), first=not number, depth=depth)
    if not text:
        yield Row(line, ((indent, "text"),), depth=depth)


def _role_of_code(text: str) -> str:
    if text.startswith(("+++", "---", "diff ", "index ", "new file", "deleted file", "similarity", "rename ")):
        return "heading"
    if text.startswith("@@"):
        return "hunk"
    return {"+": "added", "-": "removed"}.get(text[:1], "code")


def in_rows(pieces: list[Piece], width: int) -> Iterator[tuple[Piece, ...]]:
    """Pieces that are fit for a terminal in rows of so many cells, each character where it was."""
    return _wrap(pieces, width, words=False)


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
            rest = part
            if words and row and cell_len(rest) > left and cell_len(rest.lstrip(" ")) <= width:
                yield tuple(row)
                row, left, rest = [], width, rest.lstrip(" ")
            while cell_len(rest) > left:
                fits, rest = _split(rest, left)
                if not fits and not row:  # one character that is wider than the row
                    fits, rest = rest[:1], rest[1:]
                yield (*row, (fits, role)) if fits else tuple(row)
                row, left = [], width
            if rest:
                row.append((rest, role))
                left -= cell_len(rest)
    if row:
        yield tuple(row)


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
