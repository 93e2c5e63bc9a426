"""How many tests of a run are over, by what the test runner prints of each while it goes on: pytest's lines of letters
or of names, and the letters of unittest. Of a runner that prints otherwise nothing is known, and nothing is said."""

from __future__ import annotations

import re

LONGEST = 400
"""Characters of a line that can be one of a test runner's: the letters of as many tests as a wide terminal has columns,
behind the name of a file."""

_LETTERS = re.compile(r"(?:[^\s=:\"']+ )?([.sxXFE]+) *(?:\[ *\d+%\])?")
_NAMED = re.compile(r"\S+::.* (?:PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)(?: \(.*\))? *(?:\[ *\d+%\])?")
_COLLECTED = re.compile(r"(?:collecting \.\.\. )?collected (\d+) items?(?: / .*)?")
_SELECTED = re.compile(r" / (\d+) selected")
_OVER = "====="


class TestsSoFar:
    """Of one job. `total` None: the runner has not said it. Nothing counts once the runner has begun to tell of what
    failed."""

    __test__ = False

    def __init__(self) -> None:
        self.total: int | None = None
        self._done = 0
        self._is_over = False

    def add(self, lines: str) -> None:
        """Lines that are whole."""
        for line in lines.split("\n") if not self._is_over else ():
            if line.startswith(_OVER) and self._done:
                self._is_over = True
                return
            self._add(line)

    def _add(self, line: str) -> None:
        if self.total is None and line.startswith("collect") and (found := _COLLECTED.fullmatch(line.rstrip())):
            selected = _SELECTED.search(line)
            self.total = int(selected[1] if selected else found[1])
        else:
            self._done += _tests_in(line)

    def done(self, *begun: str) -> int:
        """Tests that are over, those of lines that have only begun among them. Never more than there are."""
        done = self._done + (0 if self._is_over else sum(map(_tests_in, begun)))
        return done if self.total is None else min(done, self.total)


def _tests_in(line: str) -> int:
    if not line or len(line) > LONGEST:
        return 0
    letters = _LETTERS.fullmatch(line)
    if letters is not None:
        return len(letters[1])
    return 1 if "::" in line and _NAMED.fullmatch(line.rstrip()) else 0
