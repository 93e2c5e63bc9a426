"""What a traced command says on standard error, a line at a time: where the trace is JSON, it is a part of it."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable


class Said(io.TextIOBase):
    """Takes the place of standard error. Each whole line goes to `tell`."""

    encoding = "utf-8"

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._begun = ""
        self._lock = threading.Lock()

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        with self._lock:
            *lines, self._begun = (self._begun + text).split("\n")
        for line in lines:
            self._tell(line)
        return len(text)

    def end(self) -> None:
        """Tell what no line has ended."""
        with self._lock:
            left, self._begun = self._begun, ""
        if left:
            self._tell(left)
