"""Tests that wait for what nothing is there to bring: an event loop without a timer, a connection, a thread or a signal
that could wake it.

Runs in the sandbox under the person's Python (3.8 or newer) with the standard library only.
"""

from __future__ import annotations

import os
import selectors
import signal
import threading
from typing import Any

from treadle.plugins.test_runs.runners.time_limit import TestClock

_MAY_WAKE = ("SIGALRM", "SIGCHLD", "SIGHUP", "SIGIO", "SIGTERM", "SIGUSR1", "SIGUSR2")
_OWN_PIPE = 1
"""What a loop listens to that waits for nothing else: a pipe by which other threads, and signals, wake it."""


def end_what_waits_for_nothing() -> None:
    """From now on an event loop of asyncio raises `TestTimeout` in such a case, instead of waiting for ever."""
    base: Any = selectors.DefaultSelector

    class Selector(base):  # type: ignore[misc]
        def select(self, timeout: float | None = None) -> Any:
            if timeout is not None or len(self.get_map()) > _OWN_PIPE or not _is_alone():
                return super().select(timeout)
            # What another thread has said before it ended is there by now.
            return super().select(0) or TestClock.end_waiting()

    Selector.__name__ = Selector.__qualname__ = base.__name__
    selectors.DefaultSelector = Selector  # type: ignore[misc]


def _is_alone() -> bool:
    """Whether neither another thread nor a signal can wake this one."""
    numbers = [getattr(signal, name) for name in _MAY_WAKE if hasattr(signal, name)]
    if any(_may_wake(signal.getsignal(number)) for number in numbers):
        return False
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return threading.active_count() == 1


def _may_wake(handler: Any) -> bool:
    """Whether it is a handler of the project's: those that only end a test, or a call, wake nobody."""
    return callable(handler) and not (
        isinstance(getattr(handler, "__self__", None), TestClock) or getattr(handler, "only_ends", False)
    )
