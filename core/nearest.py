"""What a misspelt name was probably meant to be."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`did you mean 'loop.ladder'? ` with the known name most like this one, or nothing when none is. Dotted names are
    alike when their last parts are."""
    names = list(known)
    last = name.rpartition(".")[2]
    by_last: dict[str, str] = {}
    for each in names:
        by_last.setdefault(each.rpartition(".")[2], each)
    if last in by_last:
        return f"did you mean {by_last[last]!r}? "
    close = difflib.get_close_matches(name, names, n=1)
    close = close or [by_last[match] for match in difflib.get_close_matches(last, by_last, n=1)]
    return f"did you mean {close[0]!r}? " if close else ""
