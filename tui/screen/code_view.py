"""The change as it is looked at: as a diff, side by side, or as the files that come of it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from rich.cells import cell_len

from treadle.core.counting import counted
from treadle.core.paths import shown
from treadle.core.records import FileChange
from treadle.tui.safe_text import visible
from treadle.tui.story.changes import (
    FileDiff,
    Side,
    beginning_of,
    brought_by,
    change_lines,
    files_of,
    left_out,
    pairs_of,
)
from treadle.tui.story.line import Line, detail
from treadle.tui.widgets.layout import TAB, Glyphs, Piece, Row, fitted, in_rows, rows_of
from treadle.tui.widgets.syntax import coloured

Mode = Literal["diff", "side by side", "files"]
_MODES: tuple[Mode, ...] = ("diff", "side by side", "files")


class CodeView:
    """One change. `files` are asked for when somebody wants to see them, by the number of the attempt."""

    def __init__(self, files: Callable[[int], tuple[FileChange, ...]], glyphs: Glyphs, *, ascii_only: bool) -> None:
        self._files = files
        self._glyphs = glyphs
        self._bar = "|" if ascii_only else "│"
        self.mode: Mode = "diff"
        self.attempt = 0
        self._diff = ""
        self._parts: list[FileDiff] = []
        self._lines: list[Line] = []
        self._texts: dict[str, _Text] = {}
        self._closed: set[str] = set()
        self._drawn: tuple[object, list[Row]] = (None, [])

    def take(self, diff: str, attempt: int) -> None:
        """Show the change of that attempt from now on."""
        if (diff, attempt) != (self._diff, self.attempt):
            self._diff, self.attempt, self._texts = diff, attempt, {}
            self._parts, self._lines = files_of(diff), change_lines(diff)
            self._drawn = (None, [])

    def next_mode(self) -> None:
        """Look at it in the next way."""
        self.mode = _MODES[(_MODES.index(self.mode) + 1) % len(_MODES)]

    def turn(self, line: Line, opened: bool | None) -> None:
        """Open or close a file; None: the other of what it is."""
        closed = line.key in self._closed
        if closed if opened is None else opened:
            self._closed.discard(line.key)
        elif line.opens or line.key.startswith("file."):
            self._closed.add(line.key)

    def path_of(self, line: Line | None) -> str:
        """The file that the line is about, empty for none."""
        key = line.key if line is not None else ""
        below = [each for each in self._lines if key.startswith(each.key)]
        if not below and len(self._lines) == 1:
            return self._lines[0].title
        return max(below, key=lambda each: len(each.key)).title if below else ""

    @property
    def begins_at(self) -> str:
        """The key of the first line that the change brings, where whole files are shown; "" elsewhere: there is little
        before it."""
        if self.mode == "files":
            for line, file in zip(self._lines, self._parts, strict=True):
                if numbers := brought_by(file):
                    return _key_of(line, min(numbers))
        return ""

    # ------------------------------------------------------------ rows

    def rows(self, width: int) -> list[Row]:
        """The change in rows of that width; none where there is no change. They are laid out once: a session that is at
        work is drawn many times a second."""
        if not self._lines:
            return []
        if self.mode == "files" and not self._texts:  # they may be there by now
            self._texts = {shown(each.path): _text(each) for each in self._files(self.attempt)}
            self._drawn = self._drawn if not self._texts else (None, [])
        looked_at = (width, self.mode, frozenset(self._closed))
        if looked_at != self._drawn[0]:
            self._drawn = (looked_at, self._laid_out(width))
        return self._drawn[1]

    def _laid_out(self, width: int) -> list[Row]:
        head = rows_of([self._head()], width, lambda line: False, self._glyphs)
        if self.mode == "diff":
            return head + rows_of(self._lines, width, self._is_open, self._glyphs)
        shown_of = self._side_by_side if self.mode == "side by side" else self._whole
        parts = zip(self._lines, self._parts, strict=True)
        return head + [
            row for line, file in parts for row in (self._file(line, width), *self._opened(line, file, width, shown_of))
        ]

    def _head(self) -> Line:
        files = self._parts
        count = f"{counted(len(files), 'file')} changed"
        lines = f"+{sum(file.added for file in files)} -{sum(file.removed for file in files)}"
        return detail("head", count, result=f"{lines} · {self.mode}")

    def _is_open(self, line: Line) -> bool:
        return line.key not in self._closed

    def _file(self, line: Line, width: int) -> Row:
        (row,) = rows_of([line], width, lambda each: False, self._glyphs, brief=True)
        if not self._is_open(line):
            return row
        pieces = tuple(
            (f"{self._glyphs.opened} ", role) if role == "marker" else (text, role) for text, role in row.pieces
        )
        return Row(line, pieces)

    def _opened(
        self, line: Line, file: FileDiff, width: int, shown_of: Callable[[Line, FileDiff, int], Iterator[Row]]
    ) -> Iterator[Row]:
        if self._is_open(line):
            yield from shown_of(line, file, width)

    def _side_by_side(self, line: Line, file: FileDiff, width: int) -> Iterator[Row]:
        room = max(8, (width - 3) // 2)
        for number, pair in enumerate(pairs_of(file)):
            key = f"{line.key}.pair.{number}"
            if isinstance(pair, str):
                yield Row(Line(key, "code", pair), ((fitted(_safe(pair), width), "hunk"),), depth=1)
                continue
            left, right = pair
            changed = left is None or right is None or left[1] != right[1]
            columns = [
                _column(side, room, role if changed else "code") for side, role in ((left, "removed"), (right, "added"))
            ]
            for first, (one, other) in enumerate(itertools.zip_longest(*columns)):
                blank = (" " * room, "code")
                pieces = (one or blank, (f" {self._bar} ", "marker"), other or blank)
                yield Row(Line(key, "code", ""), pieces, first=not first, depth=1, side_by_side=True)
        yield from self._left_out(line, beginning_of(file.text)[1], width)

    def _whole(self, line: Line, file: FileDiff, width: int) -> Iterator[Row]:
        text = self._texts.get(file.path)
        if text is None:
            told = detail(f"{line.key}.none", "its text is kept no more, or not before the session rests; the diff is")
            yield from rows_of([told], width, lambda each: False, self._glyphs)
            return
        digits, brought = len(str(len(text.lines))), brought_by(file)
        for number, pieces in enumerate(text.lines, 1):
            own = Line(_key_of(line, number), "code", text.titles[number - 1])
            rest = _within(pieces, max(8, width - digits - 1))
            for first, part in enumerate(rest):
                mark = "+" if number in brought else " "
                head = f"{number:>{digits}}{mark}" if not first else " " * (digits + 1)
                yield Row(own, ((head, "marker"), *part), first=not first, depth=1)
        yield from self._left_out(line, text.left_out, width)

    def _left_out(self, line: Line, count: int, width: int) -> list[Row]:
        return rows_of(left_out(line.key, count), width, lambda each: False, self._glyphs)


@dataclass(frozen=True)
class _Text:
    """A file as it would be, as far as it is shown, and how many more lines it has. `titles` are its lines without
    colours, with their tabs."""

    lines: list[list[Piece]]
    titles: list[str]
    left_out: int = 0


def _key_of(file: Line, number: int) -> str:
    return f"{file.key}.line.{number}"


def _safe(text: str) -> str:
    return visible(text).replace("\n", " ").expandtabs(TAB)


def _column(side: Side, room: int, role: str) -> list[Piece]:
    """A line in a column of so many cells, in as many rows as it takes."""
    if side is None:
        return []
    mark = {"removed": "-", "added": "+"}.get(role, " ")
    head = f"{side[0]:>4}{mark}"
    rows = _within([(_safe(side[1]), role)], max(4, room - len(head)))
    texts = [f"{head if not n else ' ' * len(head)}{''.join(text for text, _ in part)}" for n, part in enumerate(rows)]
    return [(text + " " * (room - cell_len(text)), role) for text in texts]


def _within(pieces: list[Piece], width: int) -> list[tuple[Piece, ...]]:
    return list(in_rows(pieces, width)) or [()]


def _text(change: FileChange) -> _Text:
    if change.content is None:
        return _said("the file is deleted")
    try:
        text, more = beginning_of(change.content.decode("utf-8"))
    except UnicodeDecodeError:
        return _said("it is no text")
    lines, plain = coloured(change.path, text), visible(text).split("\n")
    drawn = ["".join(part for part, _ in pieces) for pieces in lines]
    return _Text(lines, [*plain, *drawn[len(plain) :]], more)


def _said(text: str) -> _Text:
    return _Text([[(text, "result")]], [text])
