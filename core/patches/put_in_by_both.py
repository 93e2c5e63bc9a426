"""Lines that two changes of one text both put in: made one after the other, they would stand there twice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from treadle.core.patches.edit import Edit

_RUN = 3
"""So many lines in a row that both put in are no chance: fewer (`else:`, a bracket, a `return`) may be."""

_WORD = re.compile(rb"\w")
"""Brackets alone, as many may be closed in a row, stand in any code."""

_Code = tuple[bytes, ...]


def put_in_by_both(text: Sequence[bytes], own: Iterable[Edit], others: Iterable[Edit]) -> frozenset[Edit] | None:
    """The `others` that need not be made, since `own` has put in the same in the same place. None where they put in the
    same in different places, or only a part is the same: which one is meant nobody knows."""
    made = {edit for edit in own if edit.adds and edit.code}
    known: dict[_Code, list[Edit]] = {}
    for edit in made:
        for code in {edit.code, *_runs(edit.code)}:
            known.setdefault(code, []).append(edit)
    there = set()
    for edit in others:
        if edit in made or not (edit.adds and edit.code):
            continue
        alike = known.get(edit.code, []) + known.get(edit.code[:_RUN], [])
        if any(_has(each, edit, text) for each in alike):
            there.add(edit)
        elif known.get(edit.code) or any(run in known for run in _runs(edit.code)):
            return None
    return frozenset(there)


def _runs(code: _Code) -> Iterator[_Code]:
    runs = (code[at : at + _RUN] for at in range(len(code) - _RUN + 1))
    return (run for run in runs if any(_WORD.search(line) for line in run))


def _has(own: Edit, other: Edit, text: Sequence[bytes]) -> bool:
    """Whether the one has put in what the other only puts in, with nothing but empty lines between their places."""
    first, last = sorted((own, other))
    if other.start != other.end or any(line.strip() for line in text[first.end : last.start]):
        return False
    size = len(other.code)
    return any(own.code[at : at + size] == other.code for at in range(len(own.code) - size + 1))
