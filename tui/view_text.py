"""A panel's or a command's view as lines of text: what a plugin says can't do more than be read."""

from __future__ import annotations

from collections.abc import Iterator

from treadle.core.contributions import Bar, View
from treadle.tui.safe_text import clean, clean_line

_BAR = 20
_WIDEST = 60  # characters of a column
_WIDEST_LABEL = 30


def lines_of(view: View) -> Iterator[str]:
    """The lines, from the title to the bars, an empty one between the parts."""
    parts = [
        [clean_line(view.title)] if view.title else [],
        clean(view.text).splitlines(),
        list(_table(view)),
        list(_bars(view.bars)),
    ]
    filled = [part for part in parts if part]
    for number, part in enumerate(filled):
        if number:
            yield ""
        yield from part


def _table(view: View) -> Iterator[str]:
    rows = [[clean_line(cell) for cell in row] for row in ((view.heads,) if view.heads else ()) + view.rows]
    columns = max((len(row) for row in rows), default=0)
    widths = [min(_WIDEST, max((len(row[i]) for row in rows if i < len(row)), default=0)) for i in range(columns)]
    for number, row in enumerate(rows):
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip()
        if view.heads and number == 0:
            yield "  ".join("-" * width for width in widths)


def _bars(bars: tuple[Bar, ...]) -> Iterator[str]:
    labels = [clean_line(bar.label) for bar in bars]
    width = min(_WIDEST_LABEL, max(map(len, labels), default=0))
    for bar, label in zip(bars, labels, strict=True):
        if bar.total is None or bar.total <= 0:
            yield f"{label.ljust(width)}  {bar.done}"
            continue
        filled = max(0, min(_BAR, bar.done * _BAR // bar.total))
        yield f"{label.ljust(width)}  [{'#' * filled}{'.' * (_BAR - filled)}] {bar.done} of {bar.total}"
