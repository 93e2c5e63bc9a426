"""Ctrl-C while a command runs in the sandbox: the command is cancelled and cleaned up, instead of being left where an
exception happened to strike."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType, TracebackType
from typing import Any


class Interruption:
    """Within its `with` block Ctrl-C sets `cancel`; pressed again, it raises KeyboardInterrupt."""

    def __init__(self) -> None:
        self.cancel = threading.Event()
        self._at_once = False
        self._before: Any = None

    def __enter__(self) -> Interruption:
        self._before = signal.getsignal(signal.SIGINT)
        if self._before is not signal.SIG_IGN:  # as for what a shell has put into the background
            signal.signal(signal.SIGINT, self._struck)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        signal.signal(signal.SIGINT, self._before)

    @contextlib.contextmanager
    def at_once(self) -> Iterator[None]:
        """Where nobody looks at `cancel`, as in a write to a reader that does not read."""
        self._at_once = True
        try:
            if self.cancel.is_set():
                raise KeyboardInterrupt
            yield
        finally:
            self._at_once = False

    def _struck(self, number: int, frame: FrameType | None) -> None:
        again = self.cancel.is_set()
        self.cancel.set()
        if again or self._at_once:
            raise KeyboardInterrupt
