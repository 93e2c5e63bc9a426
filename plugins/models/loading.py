"""An SDK, whose import takes seconds: begun in the background, and waited for where it is needed."""

from __future__ import annotations

import contextlib
import gc
import importlib
import threading
from collections.abc import Callable

from treadle import Stopped

_LOOK_S = 0.05


class Loading:
    """The import of one module."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @property
    def begun(self) -> bool:
        """Whether somebody has asked for it."""
        return self._thread is not None

    def begin(self) -> threading.Thread:
        """The thread that imports it; it is started by the first who asks."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._load, name=f"treadle-{self._module}", daemon=True)
                self._thread.start()
            return self._thread

    def wait(self, cancelled: Callable[[], bool]) -> None:
        """Come back when the import has ended, well or not. Raises `Stopped`."""
        thread = self.begin()
        while thread.is_alive():
            thread.join(_LOOK_S)
            if cancelled():
                raise Stopped("the session was asked to stop")

    def _load(self) -> None:
        # What it makes is there to stay: to look for garbage among it takes a seventh of the time.
        gc.disable()
        try:
            with contextlib.suppress(ImportError):  # whoever imports it next is told, in their own thread
                importlib.import_module(self._module)
        finally:
            gc.enable()
