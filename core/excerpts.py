"""The code that a person is asked about: for each concern the lines of the change that it is about, with their numbers,
or what the change does to the file where it is about no line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from treadle.core.counting import are, counted
from treadle.core.errors import UnsafePath
from treadle.core.patches.diff import Before, diff_text
from treadle.core.paths import shown
from treadle.core.records import Candidate, Concern, FileChange

BEFORE, AFTER = 2, 4
"""Lines that are shown around the one that a concern is about."""
MOST_LINES = 40
"""Lines that are shown of a diff."""
LONGEST = 2_000
"""Characters that are shown of a line."""
MOST = 100_000
"""Characters of code that go with one question, however many concerns it has."""

# What of a diff's head says nothing that the name of the file does not.
_NAMES = ("diff --git ", "index ", "--- ", "+++ ")


@dataclass(frozen=True)
class Excerpts:
    """Of one change. `before` are the files as they are without it."""

    candidate: Candidate
    before: Before

    def of(self, concerns: Iterable[Concern]) -> tuple[str, ...]:
        """The lines for each concern as one text, "" where it is about no file of the change. They are as they stand
        in it: whoever shows them makes them fit for a terminal. What two concerns are about is there once."""
        told: list[str] = []
        seen: set[tuple[str, str]] = set()
        left = MOST
        for concern in concerns:
            text = "\n".join(_short(line) for line in self._lines(concern))
            if text and (concern.path, text) in seen:
                text = "(shown above)"
            elif len(text) > left:
                text = "(too much to be shown here: the diff shows it)"
            else:
                seen.add((concern.path, text))
            left = max(0, left - len(text))
            told.append(text)
        return tuple(told)

    def _lines(self, concern: Concern) -> list[str]:
        changes = [change for change in self.candidate.files if concern.path in ("", change.path)]
        around = list(_around(changes[0], concern.line)) if concern.path and changes else []
        return around or self._diffs(changes)

    def _diffs(self, changes: list[FileChange]) -> list[str]:
        lines: list[str] = []
        for change in changes:
            lines += [f"{shown(change.path)}:"] if len(changes) > 1 else []
            lines += _diff(change, self.before)
        more = len(lines) - MOST_LINES
        return [*lines[:MOST_LINES], f"({counted(more, 'line')} more: the diff shows all)"] if more > 0 else lines


def _around(change: FileChange, number: int) -> Iterator[str]:
    """The line of that number, marked, and those around it; nothing where there is none."""
    content = change.content or b""
    lines = content.splitlines()  # of bytes: at what ends a line of source, and at nothing else
    if b"\0" in content or not 0 < number <= len(lines):
        return
    for at in range(max(1, number - BEFORE), min(len(lines), number + AFTER) + 1):
        yield f"{'>' if at == number else ' '}{at:>5}  {lines[at - 1].decode('utf-8', 'replace')}"


def _diff(change: FileChange, before: Before) -> list[str]:
    if b"\0" in (change.content or b""):
        return [f"({counted(len(change.content or b''), 'byte')} that {are(len(change.content or b''))} no text)"]
    try:
        diff = diff_text([change], before).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    except (OSError, UnsafePath):
        return ["(what is there can't be read: there is nothing to compare it with)"]
    head, at, hunks = diff.partition("\n@@ ")
    above = [line for line in head.splitlines() if not line.startswith(_NAMES)]
    return [*above, *f"{at}{hunks}".strip("\n").split("\n")] if at else above


def _short(line: str) -> str:
    more = len(line) - LONGEST
    return f"{line[:LONGEST]} (and {counted(more, 'character')} more)" if more > 0 else line
