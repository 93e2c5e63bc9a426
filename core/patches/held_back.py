"""Interruptions held back while the person's files are written, so that nobody finds them half of one thing and half of
another because a key was pressed."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

# In the order in which they are taken; given back in the other one, since SIGINT raises where it is given back.
_ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


@contextmanager
def held_back() -> Iterator[None]:
    """Within the block SIGINT, SIGTERM and SIGHUP wait; at its end they come, to whoever would have got them. What is
    ignored stays ignored. In another thread than the main one nothing is done: signals do not come there."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: dict[int, None] = {}
    taken = [(number, handler) for number in _ENDING if _ends(handler := signal.getsignal(number))]
    for number, _ in taken:
        signal.signal(number, lambda which, frame: came.setdefault(which))
    try:
        yield
    finally:
        for number, handler in reversed(taken):
            signal.signal(number, handler)
        for number in came:
            signal.raise_signal(number)


def _ends(handler: object) -> bool:
    """Whether a signal with that handler does anything; None is one that Python did not set, and can't give back."""
    return handler is signal.SIG_DFL or callable(handler)
