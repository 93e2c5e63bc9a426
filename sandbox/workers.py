"""The servers of a pool: each job takes one, and another one is started only where that gains time.

Jobs wait for servers at work, all of them together, half as long as a start takes, before another one is started
beside them. A few short jobs would be done before it is there, while it takes the processor from them; to many jobs, or
long ones, that little is lost once. Whoever waits takes the server that is there first. After a start beside
them that failed, jobs get along with the servers that there are for many times as long as it took.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from treadle.sandbox.server_process import ServerDied, ServerProcess

_CANCEL_POLL_S = 0.02
_AFTER_A_FAILURE, _LEAST_S = 20.0, 10.0
"""So many times as long as a start took that failed, and this long at least, no other one is tried beside jobs."""


class Cancelled(Exception):
    """Who waited for a server does not want one any more."""


class Workers:
    """At most `most` servers, made by `start`. Safe for several threads."""

    def __init__(self, most: int, start: Callable[[threading.Event | None], ServerProcess]) -> None:
        self._most = most
        self._start = start
        self._changed = threading.Condition()
        self._free: list[ServerProcess] = []
        self._taken = 0
        self._starting = 0
        self._closed = False
        self._closing = threading.Event()
        self._start_s = 0.0  # how long the last start took
        self._waited_s = 0.0  # by all jobs for a server, until now
        self._not_before = 0.0  # when the next start beside jobs may be tried

    def take(self, cancel: threading.Event | None = None) -> ServerProcess:
        """A server for one job, to be given back. Raises Cancelled, RuntimeError after `close`, and ServerDied when it
        can't be started."""
        server = self._free_one(cancel)
        try:
            if server is not None and not server.is_usable():
                server.close()
                server = None
            if server is None:
                begun = time.monotonic()
                server = self._start(cancel)
                self._start_s = time.monotonic() - begun
        except BaseException:
            self.give_back(None)
            raise
        return server

    def give_back(self, server: ServerProcess | None) -> None:
        """Its job is done. None for one that has ended: the next job starts another one in its place."""
        with self._changed:
            self._taken -= 1
            if server is not None:
                self._free.append(server)
            self._changed.notify_all()

    def close(self) -> None:
        """End all, when their jobs are done; whoever waits for one is told."""
        with self._changed:
            self._closed = True
            self._closing.set()
            self._changed.notify_all()
            self._changed.wait_for(lambda: not (self._taken or self._starting))
            free, self._free = self._free, []
        for server in free:
            server.close()

    def _free_one(self, cancel: threading.Event | None) -> ServerProcess | None:
        """A free server, and taken; None when there is none at all, and whoever asks is to start it."""
        since = time.monotonic()
        with self._changed:
            while not (self._free or self._closed):
                left = self._left_to_wait(since)
                if left <= 0 and not self._taken:
                    break
                if left <= 0:
                    self._start_beside()
                    continue
                if cancel is not None:
                    if cancel.is_set():
                        raise Cancelled
                    left = min(left, _CANCEL_POLL_S)
                self._changed.wait(min(left, threading.TIMEOUT_MAX))
            if self._closed:
                raise RuntimeError("the pool is closed")
            self._waited_s += time.monotonic() - since
            self._taken += 1
            return self._free.pop() if self._free else None

    def _left_to_wait(self, since: float) -> float:
        """For how many seconds whoever waits since then is to wait for one of those at work."""
        if self._starting or self._taken >= self._most:
            return float("inf")
        waited = self._waited_s + time.monotonic() - since
        return max(self._start_s / 2 - waited, self._not_before - time.monotonic()) if self._taken else 0.0

    def _start_beside(self) -> None:
        """Start another one, while those who wait go on to do so."""
        self._starting += 1
        try:
            threading.Thread(target=self._add, name="treadle-start", daemon=True).start()
        except RuntimeError:  # no more threads, or the interpreter ends
            self._starting -= 1
            self._not_before = time.monotonic() + _LEAST_S

    def _add(self) -> None:
        begun = time.monotonic()
        server = None
        try:
            server = self._start(self._closing)
        except ServerDied:
            pass  # the jobs get along with those that there are
        finally:
            with self._changed:
                self._starting -= 1
                if server is not None:
                    self._free.append(server)
                else:
                    now = time.monotonic()
                    self._not_before = now + max(_LEAST_S, _AFTER_A_FAILURE * (now - begun))
                self._changed.notify_all()
