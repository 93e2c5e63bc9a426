"""Where a trace is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO

from treadle.tui.safe_text import clean


class Output:
    """Where a trace is written, a line at a time. When that can't be written to any more, the rest is dropped: what is
    traced is to go on as it would without."""

    def __init__(self, out: IO[str], begin: Callable[[], object] = lambda: None) -> None:
        """`begin` is called once, before the first line is written; it may raise `OSError`."""
        self._out = out
        self._begin: Callable[[], object] | None = begin
        # On a terminal a live line may stand where the line is to be.
        self._erase = "\r\x1b[2K" if out.isatty() else ""
        self._broken = False

    def write(self, *lines: str) -> None:
        """Write lines."""
        if self._broken or not lines:
            return
        try:
            if self._begin is not None:
                begin, self._begin = self._begin, None
                begin()
            self._out.write("".join(f"{self._erase}{clean(line)}\n" for line in lines))
            self._out.flush()
        except (OSError, ValueError):  # it is full, its reader has gone, or it is closed
            self._broken = True
