"""A cluster as a session uses it: connected with the first batch, asked from the session's threads, closed at its
end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import threading
import time
import warnings
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import Future, wait
from pathlib import Path
from typing import Any, TypeVar

import dask
from distributed import Client
from distributed.versions import VersionMismatchWarning

from treadle.core.durations import in_seconds
from treadle.core.one_line import one_line
from treadle.core.records import Execution
from treadle.plugins.execution.on_dask import on_worker
from treadle.plugins.execution.on_dask.batch import Batch
from treadle.plugins.execution.on_dask.fit_workers import FitWorkers
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


class _TidyClient(Client):
    """A client that takes its thread and its connections with it when it can't be made."""

    def start(self, **options: Any) -> None:
        """Connect. Raises `OSError`, `TypeError`, `ValueError`."""
        try:
            super().start(**options)
        except BaseException:
            self.close()
            raise


class Cluster:
    """A connected cluster. `session` is this session's name in it."""

    def __init__(self, client: Client, own: OwnCluster | None, patience_s: float, at_end: contextlib.ExitStack) -> None:
        """`at_end` is unwound when it is closed."""
        self.session = secrets.token_hex(16)
        self._client = client
        self._own = own
        self._workers = FitWorkers(client, patience_s)
        self._at_end = at_end
        self._tending = threading.Lock()
        self._tended = time.monotonic()

    def carry_out(self, errands: Sequence[bytes], cancelled: Callable[[], bool]) -> dict[int, Execution | None]:
        """The execution of each packed errand by its number; None for one that ended each worker on which it ran, and
        no entry for one that was cancelled. Raises `NoCluster`."""
        batch = Batch(self._client, self._workers, errands)
        self._tend()
        running = self._begin(batch.carry_out())
        try:
            while not wait([running], timeout=_POLL_S).done:
                if cancelled():
                    return dict(batch.executions)
                if time.monotonic() - self._tended > _TEND_EVERY_S:
                    self._tend()
            running.result()
            return batch.executions
        finally:
            batch.unwanted.set()
            running.cancel()

    def reconsider(self) -> None:
        """The project has changed: what workers were found to see is no longer so."""
        self._workers.forget()

    def unfit(self) -> tuple[str, ...]:
        """Why some of its workers are not used, each as a sentence."""
        return tuple(f"the Dask worker {address} is not used: {why}" for address, why in self._workers.unfit.items())

    def close_workspace(self, workspace: str | None) -> None:
        """Nothing is kept warm any more for one workspace, or for any."""
        closing = self._begin(self._close_everywhere(workspace))
        with contextlib.suppress(OSError, TimeoutError, ValueError):
            closing.result(_CLOSE_S)
        closing.cancel()

    def close(self) -> None:
        """End what this session has in the cluster, and all of a cluster of its own."""
        self.close_workspace(None)
        self._at_end.close()

    async def _close_everywhere(self, workspace: str | None) -> None:
        if self._client.status == "running":
            await self._client.run(on_worker.close, self.session, workspace, on_error="ignore")

    def _tend(self) -> None:
        if self._own is None:
            return
        with self._tending:
            self._own.tend()
            self._tended = time.monotonic()

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
        client = _client(target, patience_s)
        at_end.callback(_let_go, client)
        if own is not None:
            _wait_for_all(client, own, patience_s)
        return Cluster(client, own, patience_s, at_end.pop_all())


def _client(target: Any, patience_s: float) -> Client:
    # Both sides are given bytes; whether their Python or Dask differ does not matter to these.
    warnings.simplefilter("ignore", VersionMismatchWarning)
    try:
        return _TidyClient(target, timeout=patience_s, set_as_default=False, name="treadle")
    except (OSError, TimeoutError) as error:
        why = f"no scheduler answers at {target} within {in_seconds(patience_s)} ({one_line(error)})"
    except TypeError:
        # What Dask says when it has no certificates.
        why = f"the scheduler {target} wants TLS, and Dask's configuration names no certificates (distributed.comm.tls)"
    except ValueError as error:
        why = f"{target!r} is no scheduler's address like tls://HOST:8786 ({one_line(error)})"
    raise NoCluster(f"{why}; see plugins.execute-dask.scheduler in the settings")


def _let_go(client: Client) -> None:
    with contextlib.suppress(OSError, TimeoutError):
        client.close(timeout=_CLOSE_S)


def _wait_for_all(client: Client, own: OwnCluster, patience_s: float) -> None:
    """Wait for the workers that were started, for the last of them no longer than that. Raises `NoCluster` when none
    comes."""
    deadline = time.monotonic() + patience_s
    while (there := len(client.nthreads())) < own.size:
        own.check()
        if time.monotonic() > deadline:
            if there:
                return
            raise NoCluster(f"no worker came up within {in_seconds(patience_s)}")
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
