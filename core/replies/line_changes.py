"""The lines of a module, those of a part of it that was sent, and what changes where the one is put into the other."""

from __future__ import annotations

import ast
from itertools import pairwise

from treadle.core.replies.elision import elision
from treadle.core.replies.naming import path_comment
from treadle.core.replies.statement_lines import above, has_long_text, shares_a_line, span

BETWEEN = ["", ""]
"""Lines between two definitions at the top."""


class NoPlaceError(Exception):
    """Something has no place, or more than one."""


class LineChanges:
    """The changes to the lines of an old text, made of those that were sent."""

    def __init__(self, old: str, sent: str) -> None:
        self.old = old.split("\n")
        self.sent = sent.split("\n")
        self._changes: list[tuple[int, int, list[str]]] = []

    def __bool__(self) -> bool:
        return bool(self._changes)

    def put(self, start: int, end: int, lines: list[str]) -> None:
        """Have these lines take the place of those from one on, to before another."""
        self._changes.append((start, end, lines))

    @property
    def first_replaced(self) -> int | None:
        """The first line whose place another one takes; None where all are new."""
        return min((start for start, end, _ in self._changes if end > start), default=None)

    def made(self) -> str | None:
        """The text with the changes; None where two of them are for the same lines."""
        ordered = sorted(self._changes, key=lambda change: change[:2])
        if any(end > start for (_, end, _), (start, _, _) in pairwise(ordered)):
            return None
        lines: list[str] = []
        at = 0
        for start, end, new in ordered:
            lines += [*self.old[at:start], *new]
            at = end
        return "\n".join([*lines, *self.old[at:]])

    def refuse_shared(self, old: ast.stmt, sent: ast.stmt) -> None:
        """Raise `NoPlaceError` where one of the two shares a line with another statement."""
        if shares_a_line(self.old, old) or shares_a_line(self.sent, sent):
            raise NoPlaceError

    def blanks(self, statement: ast.stmt) -> str:
        """Those before a statement of the old text."""
        return self.old[span(statement)[0]][: statement.col_offset]

    def with_comments(self, statement: ast.stmt) -> list[str]:
        """The lines of a statement that was sent, below its comments."""
        return [*self.comments(statement), *self.sent[slice(*span(statement))]]

    def comments(self, statement: ast.stmt) -> list[str]:
        """Those right above what was sent, without the file's name, and without what stands for code left out."""
        start = above(self.sent, statement)
        lines = self.sent[start : span(statement)[0]]
        if not any(line.strip() for line in self.sent[:start]) and path_comment(lines):
            del lines[0]
        return [line.strip() for line in lines if line in self.old or not elision(line, "")]

    def indented(self, blanks: str, statement: ast.stmt) -> list[str]:
        """The lines of a statement that was sent, behind these blanks instead of its own. Raises `NoPlaceError` where
        that would change it."""
        taken = self.sent[slice(*span(statement))]
        own = taken[0][: statement.col_offset]
        if blanks == own:
            return list(taken)
        if blanks.strip() or own.strip() or has_long_text(statement):
            raise NoPlaceError
        if not all(line.startswith(own) for line in taken if line.strip()):
            raise NoPlaceError
        return [blanks + line[len(own) :] if line.strip() else line for line in taken]
