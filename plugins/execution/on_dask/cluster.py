"""A cluster as a session uses it: connected with the first batch, asked from the session's threads, closed at its
end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import Future, wait
from pathlib import Path
from typing import Any, TypeVar

import dask
from distributed import Client

from treadle.core.one_line import one_line
from treadle.core.records import Execution
from treadle.plugins.execution.on_dask import on_worker
from treadle.plugins.execution.on_dask.carrying import Carrier
from treadle.plugins.execution.on_dask.no_cluster import NoCluster
from treadle.plugins.execution.on_dask.own_cluster import OwnCluster

T = TypeVar("T")

_POLL_S = 0.05
_TEND_EVERY_S = 0.5
_CLOSE_S = 10.0
# Those for which Dask, when it is imported, begins to write to the terminal.
_LOGGERS = ("distributed", "distributed.client", "distributed.gc", "bokeh", "tornado", "tornado.application")
# A batch may be large; that it goes over the wire is what it is for.
_NO_WARNING = {"distributed.admin.large-graph-warning-threshold": "1 TB"}


class Cluster:
    """A connected cluster. `session` is this session's name in it. Not for use by two threads at once."""

    def __init__(self, client: Client, own: OwnCluster | None, patience_s: float, at_end: contextlib.ExitStack) -> None:
        """`at_end` is unwound when it is closed."""
        self.session = secrets.token_hex(16)
        self._client = client
        self._own = own
        self._carrier = Carrier(client, patience_s)
        self._at_end = at_end

    def carry_out(self, errands: Sequence[bytes], cancelled: Callable[[], bool]) -> dict[int, Execution | None]:
        """The execution of each packed errand by its number; None for one that ended each worker on which it ran, and
        no entry for one that was cancelled. Raises `NoCluster`."""
        executions: dict[int, Execution | None] = {}
        running = self._begin(self._carrier.carry_out(errands, executions))
        tended = time.monotonic()
        try:
            while not wait([running], timeout=_POLL_S).done:
                if cancelled():
                    return dict(executions)
                if self._own is not None and time.monotonic() - tended > _TEND_EVERY_S:
                    self._own.tend()
                    tended = time.monotonic()
            running.result()
            return executions
        finally:
            running.cancel()

    def reconsider(self) -> None:
        """The project has changed: what workers were found to see is no longer so."""
        self._carrier.reconsider()

    def unfit(self) -> tuple[str, ...]:
        """Why some of its workers are not used, each as a sentence."""
        return tuple(f"the Dask worker {address} is not used: {why}" for address, why in self._carrier.unfit().items())

    def close_workspace(self, workspace: str | None) -> None:
        """Nothing is kept warm any more for one workspace, or for any."""
        closing = self._begin(self._carrier.tell_all(on_worker.close, self.session, workspace))
        with contextlib.suppress(OSError, TimeoutError, ValueError):
            closing.result(_CLOSE_S)
        closing.cancel()

    def close(self) -> None:
        """End what this session has in the cluster, and all of a cluster of its own."""
        self.close_workspace(None)
        self._at_end.close()

    def _begin(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        loop: Any = self._client.loop
        return asyncio.run_coroutine_threadsafe(coroutine, loop.asyncio_loop)


def connect(scheduler: str, own: OwnCluster | None, patience_s: float, log: Path) -> Cluster:
    """Connect to the scheduler of that address, or to a cluster of our own. What Dask has to say goes into the file
    `log`. Raises `NoCluster`."""
    with contextlib.ExitStack() as at_end:
        at_end.enter_context(_saying_it_in(log))
        if own is not None:
            at_end.callback(own.close)
        target = own.open() if own is not None else scheduler
        at_end.enter_context(dask.config.set(_NO_WARNING))
        try:
            client = Client(target, timeout=patience_s, set_as_default=False, name="treadle")
        except (OSError, TimeoutError, ValueError, TypeError) as error:
            raise NoCluster(f"no scheduler can be reached: {one_line(error)}") from error
        at_end.callback(client.close, timeout=_CLOSE_S)
        if own is not None:
            _wait_for_all(client, own, patience_s)
        return Cluster(client, own, patience_s, at_end.pop_all())


def _wait_for_all(client: Client, own: OwnCluster, patience_s: float) -> None:
    """Wait for the workers that were started, for the last of them no longer than that. Raises `NoCluster` when none
    comes."""
    deadline = time.monotonic() + patience_s
    while (there := len(client.nthreads())) < own.size:
        own.check()
        if time.monotonic() > deadline:
            if there:
                return
            raise NoCluster(f"no worker came up within {patience_s:g} s")
        time.sleep(_POLL_S)


@contextlib.contextmanager
def _saying_it_in(log: Path) -> Iterator[None]:
    handler = logging.FileHandler(log, delay=True, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(name)s %(levelname)s %(message)s"))
    before = {name: logging.getLogger(name).handlers[:] for name in _LOGGERS}
    for name in _LOGGERS:
        logging.getLogger(name).handlers[:] = [handler]
    try:
        yield
    finally:
        for name, handlers in before.items():
            logging.getLogger(name).handlers[:] = handlers
        handler.close()
