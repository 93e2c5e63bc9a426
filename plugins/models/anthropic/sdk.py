"""The SDK, whose import takes seconds: begun in the background, and waited for where it is needed."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable

from treadle import Stopped

_LOOK_S = 0.05


class _Loading:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.thread: threading.Thread | None = None


_loading = _Loading()


def begin() -> threading.Thread:
    """The thread that imports the SDK; it is started by the first who asks."""
    with _loading.lock:
        if _loading.thread is None:
            _loading.thread = threading.Thread(target=_load, name="treadle-anthropic-sdk", daemon=True)
            _loading.thread.start()
        return _loading.thread


def wait(cancelled: Callable[[], bool]) -> None:
    """Come back when the import has ended, well or not. Raises `Stopped`."""
    thread = begin()
    while thread.is_alive():
        thread.join(_LOOK_S)
        if cancelled():
            raise Stopped("the session was asked to stop")


def _load() -> None:
    with contextlib.suppress(ImportError):  # whoever imports it next is told, in their own thread
        import anthropic  # noqa: F401
