"""What is copied of rows: the text that they are of, not where it was broken or cut for the width that there was."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from treadle.tui.safe_text import clean
from treadle.tui.widgets.layout import PRINTED, Row

TO_THE_END = -1
"""The end of a selection that goes on in the next row."""


@dataclass(frozen=True)
class Selected:
    """What is selected of a row: from that character up to the one before `end`, `TO_THE_END` for all the rest."""

    place: int
    start: int = 0
    end: int = TO_THE_END


def copied(rows: Sequence[Row], selected: Iterable[Selected]) -> str:
    """The text that is selected in these rows, in their order."""
    lines = groupby(selected, lambda each: _begins(rows, each.place))
    return "\n".join(_line(rows, begins, list(parts)) for begins, parts in lines)


def _begins(rows: Sequence[Row], place: int) -> int:
    while place and not rows[place].first:
        place -= 1
    return place


def _line(rows: Sequence[Row], begins: int, selected: list[Selected]) -> str:
    ends = next((n for n in range(begins + 1, len(rows)) if rows[n].first), len(rows))
    of_it = rows[begins:ends]
    first, last = selected[0], selected[-1]
    line = of_it[0].line
    if of_it[0].side_by_side:
        return "\n".join(_piece(rows[each.place].text, each.start, each.end) for each in selected)
    is_whole = (first.place, last.place) == (begins, ends - 1) and first.start <= _head(of_it[0])
    if is_whole and line.kind in PRINTED and _reaches_end(of_it[-1], last):
        return clean(line.title).replace("\n", " ")
    if len(of_it) == 1 and of_it[0].whole and _reaches_end(of_it[0], first):
        return _uncut(of_it[0], first.start)
    blanks = list(_blanks_before(of_it))
    told = ""
    for each in selected:
        row = rows[each.place]
        start = each.start if row.first and row.line.kind not in PRINTED else max(each.start, _head(row))
        text = row.text if len(of_it) == 1 else _without_time(row)  # else it would stand within the text
        told += blanks[each.place - begins] if each is not first else ""
        told += _piece(text, start, each.end)
    return told


def _piece(text: str, start: int, end: int) -> str:
    return text[start:].rstrip() if end == TO_THE_END else text[start:end]


def _without_time(row: Row) -> str:
    return "".join(text for text, role in row.pieces if role != "time").rstrip()


def _head(row: Row) -> int:
    """The characters at its beginning that are where it stands: its indent, the number of a line."""
    text, role = row.pieces[0] if row.pieces else ("", "")
    return len(text) if role == "marker" or not text.strip() else 0


def _reaches_end(row: Row, selected: Selected) -> bool:
    return selected.end == TO_THE_END or selected.end >= len(row.text.rstrip())


def _uncut(row: Row, start: int) -> str:
    """The text of a line that was cut to one row, from that character on."""
    head = "".join(text for text, _ in row.pieces[: row.HEAD])
    took = f"  {row.pieces[-1][0]}" if row.pieces[-1][1] == "time" else ""
    return (head + row.whole)[start:] + took


def _blanks_before(rows: Sequence[Row]) -> Iterator[str]:
    """For each row of a line the blanks that stood where it was broken from the one before it."""
    whole, place = rows[0].whole, 0
    for number, row in enumerate(rows):
        text = "".join(text for text, role in row.pieces[1 if number else row.HEAD :] if role != "time").rstrip()
        found = whole.find(text, place) if whole else -1
        yield whole[place:found] if number and found > place and not whole[place:found].strip() else ""
        place = found + len(text) if found >= 0 else place
