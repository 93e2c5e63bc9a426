"""The threads of what the screen does beside itself: whoever leaves it does not wait for ever for one that hangs."""

from __future__ import annotations

import concurrent.futures
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

PATIENCE_S = 10.0
"""For so long what is at work is waited for by somebody who leaves."""

P = ParamSpec("P")
T = TypeVar("T")


class Threads(ThreadPoolExecutor):
    """A thread for each thing that is done, so that none waits for another one that hangs. What is still at work after
    `patience_s` seconds ends with the process, which does not wait for it either: a pool's own threads it would join.
    """

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        super().__init__()
        self.patience_s = patience_s
        self._begun: set[Future[Any]] = set()
        self._over = False

    @property
    def at_work(self) -> int:
        """How many things are being done."""
        return len(self._begun)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Begin it. Raises `RuntimeError` once everybody has left."""
        if self._over:
            raise RuntimeError("the screen is closed")
        future: Future[T] = Future()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(fn(*args, **kwargs))
            except BaseException as error:  # noqa: BLE001 - it is the waiting side's, as in any pool
                future.set_exception(error)

        self._begun.add(future)
        future.add_done_callback(self._begun.discard)
        threading.Thread(target=work, name="treadle-screen", daemon=True).start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take nothing more, and wait for what is at work as long as there is patience."""
        self._over = True
        super().shutdown(wait=False)
        if wait:
            concurrent.futures.wait(set(self._begun), timeout=self.patience_s)
