"""What a misspelt name was probably meant to be."""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str], *, prefix: str = "") -> str:
    """`did you mean 'loop.ladder'? ` with the known name most like this one, or nothing when none is. Dotted names are
    alike when their last parts are; a `prefix` that all names share does not make them alike."""
    names = [each.removeprefix(prefix) for each in known]
    found = _nearest(name.removeprefix(prefix), names)
    return f"did you mean {prefix + found!r}? " if found else ""


def _nearest(name: str, known: list[str]) -> str:
    last = name.rpartition(".")[2]
    import difflib  # only for who has made a mistake

    by_last: dict[str, str] = {}
    for each in known:
        by_last.setdefault(each.rpartition(".")[2], each)
    if last in by_last:
        return by_last[last]
    close = difflib.get_close_matches(name, known, n=1)
    close = close or [by_last[match] for match in difflib.get_close_matches(last, by_last, n=1)]
    return close[0] if close else ""
