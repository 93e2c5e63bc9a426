"""Talking to services in an event loop of its own, until the process ends.

Asynchronous, since only so can a request be given up at any moment: while it connects, while it is silent, while it
drips. Whoever asked waits in their own thread, where they look whether to go on.
"""

from __future__ import annotations

import asyncio
import atexit
import concurrent.futures
import contextlib
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from treadle import Stopped

T = TypeVar("T")

LOOK_S = 0.1
"""How often whoever waits looks whether to go on, and shows what has come meanwhile."""
_CLOSE_S = 1.0


class OutOfTime(Exception):
    """The work did not end in its time."""


class _Running:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.loop: asyncio.AbstractEventLoop | None = None
        self.closing: list[Callable[[], Coroutine[Any, Any, None]]] = []


_running = _Running()


def at_the_end(close: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run this when the process ends."""
    _running.closing.append(close)


def run(
    work: Coroutine[Any, Any, T],
    *,
    seconds: float,
    cancelled: Callable[[], bool],
    look: Callable[[], None] = lambda: None,
) -> T:
    """What the work comes to. `look` is called every `LOOK_S` in the caller's thread. Raises what the work raises,
    `OutOfTime`, and `Stopped`; then its connections are closed."""
    over_at = time.monotonic() + seconds
    future = asyncio.run_coroutine_threadsafe(work, _loop())
    try:
        while not concurrent.futures.wait((future,), timeout=LOOK_S).done:
            look()
            if cancelled():
                raise Stopped("the session was asked to stop while a language model answered")
            if time.monotonic() >= over_at:
                raise OutOfTime
        look()
        return future.result()
    except concurrent.futures.CancelledError:
        raise Stopped("the program ends") from None
    finally:
        future.cancel()


def _loop() -> asyncio.AbstractEventLoop:
    with _running.lock:
        if _running.loop is None:
            _running.loop = asyncio.new_event_loop()
            threading.Thread(target=_running.loop.run_forever, name="treadle-models", daemon=True).start()
            atexit.register(_close)
        return _running.loop


def _close() -> None:
    loop = _running.loop
    if loop is not None:
        with contextlib.suppress(TimeoutError, concurrent.futures.CancelledError):
            asyncio.run_coroutine_threadsafe(_close_all(), loop).result(timeout=_CLOSE_S)
        loop.call_soon_threadsafe(loop.stop)


async def _close_all() -> None:
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        task.cancel()
    for close in _running.closing:
        await close()
