"""Edits between marks of their own in a model's reply, while their lines come in: SEARCH/REPLACE, patches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile

from treadle.core.replies.fence_lines import opened_by

BEGIN_PATCH = re.compile(r"^\*\*\* Begin Patch\s*$")
_END_PATCH = re.compile(r"^\*\*\* End Patch\s*$")
SEARCH = re.compile(r"^(?:<{5,9}|-{5,9}) ?(?:SEARCH|ORIGINAL)\s*$")
_DIVIDER = re.compile(r"^={5,9}\s*$")
_REPLACE = re.compile(r"^(?:>{5,9}|\+{5,9}) ?(?:REPLACE|UPDATED)\s*$")
STRAY = re.compile(
    r"\s*(?:\*\*\* End Patch|(?:>{5,9}|\+{5,9}) ?(?:REPLACE|UPDATED)"
    r"|</(?:write_to_file|replace_in_file|apply_diff)>)\s*"
)
"""The ends of edits, of patches and of files between tags."""
_HINT = re.compile(r"^:(?:start|end)_line: ?\d+\s*$")
_BELOW_HINTS = re.compile(r"^-{5,9}\s*$")


@dataclass(frozen=True)
class Edit:
    """A SEARCH/REPLACE edit. `above` is the last line before it that says something, `info` the info string of the
    fence around it; `divided` and `closed` tell whether its markers were all there, once each."""

    line: int
    info: str
    above: str
    search: tuple[str, ...]
    replace: tuple[str, ...]
    divided: bool
    closed: bool

    def without_fences(self) -> Edit | None:
        """The same where each side stands in a fence of its own, without those; None for any other."""
        sides = [_within_fence(lines) for lines in (self.search, self.replace)]
        search, new = sides
        return None if search is None or new is None else replace(self, search=search, replace=new)


@dataclass(frozen=True)
class Patch:
    """The lines of a patch between its first and its last; or what is `wrong` with it, and what to do."""

    line: int
    lines: tuple[str, ...]
    wrong: str = ""


def _within_fence(lines: tuple[str, ...]) -> tuple[str, ...] | None:
    fence = opened_by(lines[0]) if lines else None
    return lines[1:-1] if fence and len(lines) > 1 and fence.is_closed_by(lines[-1]) else None


class PendingEdit:
    """A SEARCH/REPLACE edit while its lines come in."""

    def __init__(self, line: int, info: str, above: str) -> None:
        self._line, self._info, self._above = line, info, above
        self._search: list[str] = []
        self._replace: list[str] = []
        self._dividers = 0

    def take(self, line: str) -> bool:
        """Add a line; False when it was the closing marker."""
        if _REPLACE.match(line):
            return False
        if _DIVIDER.match(line):
            self._dividers += 1
        (self._replace if self._dividers else self._search).append(line)
        return True

    def done(self, closed: bool) -> Iterator[Edit]:
        """The edit; the divider itself belongs to neither side, and no line in which its place is said."""
        hints = len(list(takewhile(_HINT.match, self._search)))
        below = hints > 0 and any(map(_BELOW_HINTS.match, self._search[hints : hints + 1]))
        yield Edit(
            self._line,
            self._info,
            self._above,
            tuple(self._search[hints + below :]),
            tuple(self._replace[1:]),
            self._dividers == 1,
            closed,
        )


class PendingPatch:
    """A patch while its lines come in."""

    def __init__(self, line: int) -> None:
        self._line = line
        self._lines: list[str] = []

    def take(self, line: str) -> bool:
        """Add a line; False when it was the last."""
        if _END_PATCH.match(line):
            return False
        self._lines.append(line)
        return True

    def done(self, closed: bool) -> Iterator[Patch]:
        """The patch."""
        wrong = "" if closed else "was cut off, since *** End Patch is missing: send it again, shorter"
        yield Patch(self._line, tuple(self._lines), wrong)
