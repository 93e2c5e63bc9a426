"""Talking to the service: one client for each address and key, in an event loop of its own until the process ends.

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
from typing import TYPE_CHECKING, Any, TypeVar

from treadle import Stopped
from treadle.plugins.models.anthropic import sdk
from treadle.plugins.models.anthropic.access import Access

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

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
        self.clients: dict[tuple[str, str], AsyncAnthropic] = {}


_running = _Running()


def run(
    work: Callable[[AsyncAnthropic], Coroutine[Any, Any, T]],
    access: Access,
    *,
    seconds: float,
    cancelled: Callable[[], bool],
    look: Callable[[], None] = lambda: None,
) -> T:
    """What the work with the client comes to. `look` is called every `LOOK_S` in the caller's thread. Raises what the
    work raises, `OutOfTime`, and `Stopped`; then the connection is closed."""
    over_at = time.monotonic() + seconds
    sdk.wait(cancelled)
    client, loop = _client(access)
    future = asyncio.run_coroutine_threadsafe(work(client), loop)
    try:
        while not _ended(future):
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


def _ended(future: concurrent.futures.Future[T]) -> bool:
    return bool(concurrent.futures.wait((future,), timeout=LOOK_S).done)


def _client(access: Access) -> tuple[AsyncAnthropic, asyncio.AbstractEventLoop]:
    from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient

    with _running.lock:
        if _running.loop is None:
            _running.loop = asyncio.new_event_loop()
            threading.Thread(target=_running.loop.run_forever, name="treadle-anthropic", daemon=True).start()
            atexit.register(_close)
        key = (access.base_url, access.key)
        if key not in _running.clients:
            # Retries are Treadle's business; code is sent to the address that the person has set and nowhere else.
            _running.clients[key] = AsyncAnthropic(
                api_key=access.key,
                base_url=access.base_url,
                max_retries=0,
                open_telemetry=False,
                http_client=DefaultAsyncHttpxClient(follow_redirects=False),
            )
        return _running.clients[key], _running.loop


def _close() -> None:
    loop = _running.loop
    if loop is not None:
        with contextlib.suppress(TimeoutError, concurrent.futures.CancelledError):
            asyncio.run_coroutine_threadsafe(_close_clients(), loop).result(timeout=_CLOSE_S)
        loop.call_soon_threadsafe(loop.stop)


async def _close_clients() -> None:
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        task.cancel()
    for client in _running.clients.values():
        await client.close()
