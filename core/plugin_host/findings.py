"""What a scanner found, brought to sense: a place that there can't be, and more than anybody will read.

Nothing of it is thrown away for that but what is least grave, since what was found may well be there.
"""

from __future__ import annotations

import functools

import msgspec

from treadle.core import paths
from treadle.core.errors import UnsafePath
from treadle.core.records import Finding

MOST = 10_000
"""Findings that one plugin may answer with at once; the gravest of more are kept."""
_GRAVEST = ("deny", "ask", "note")


def in_sense(found: tuple[Finding, ...]) -> tuple[tuple[Finding, ...], str]:
    """The findings as they can be shown, and what was wrong with them, empty when nothing was. What is not said of a
    file of the project is said of the project's folder, what is not said of a line of the whole file."""
    told = ""
    if len(found) > MOST:
        told = f"{len(found)} findings, and {MOST} are the most: the gravest are kept"
        found = tuple(sorted(found, key=lambda finding: _GRAVEST.index(finding.severity))[:MOST])
    is_file = functools.cache(_is_file)
    wrong = [number for number, each in enumerate(found) if each.line < 0 or not is_file(each.path)]
    if not wrong:
        return found, told
    first = found[wrong[0]]
    place = f"a finding at {first.path[:100]!r}, line {first.line}, which is no place in the project"
    mended = list(found)
    for number in wrong:
        each = found[number]
        path = each.path if is_file(each.path) else "."
        mended[number] = msgspec.structs.replace(each, path=path, line=max(0, each.line))
    return tuple(mended), "; ".join(filter(None, (told, place)))


def _is_file(name: str) -> bool:
    try:
        paths.check_writable(name)
    except UnsafePath:
        return name in ("", ".")  # what is said of the change as a whole
    return True
