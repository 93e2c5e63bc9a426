"""Opening a cluster without making the session wait longer than it wants to."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError, wait
from pathlib import Path
from typing import TYPE_CHECKING

from treadle.core.records import Record
from treadle.plugins.execution.on_dask.own_cluster import OwnCluster
from treadle.plugins.execution.on_dask.unset import import_distributed

if TYPE_CHECKING:
    from treadle.plugins.execution.on_dask.cluster import Cluster

_POLL_S = 0.05


class Wanted(Record, frozen=True, kw_only=True):
    """The cluster that a person has set: the address of its scheduler, or "" for `workers` processes of our own, and
    for how long to wait for it."""

    scheduler: str
    workers: int
    patience_s: float


def open_cluster(wanted: Wanted, folder: Path, cancelled: Callable[[], bool]) -> Cluster | None:
    """The cluster, or None when it was cancelled; then what was begun is closed again when it is there. `folder` is for
    its files. Raises `NoCluster`, and what an import can raise."""
    opening: Future[Cluster] = Future()
    threading.Thread(target=_settle, args=(opening, wanted, folder), name="treadle-dask", daemon=True).start()
    while not wait([opening], timeout=_POLL_S).done:
        if cancelled() and opening.cancel():
            return None
    return opening.result()


def _settle(opening: Future[Cluster], wanted: Wanted, folder: Path) -> None:
    try:
        cluster = _open(wanted, folder)
    except BaseException as error:  # noqa: BLE001 - handed to the thread that waits for it, which raises it
        with contextlib.suppress(InvalidStateError):
            opening.set_exception(error)
        return
    try:
        opening.set_result(cluster)
    except InvalidStateError:
        cluster.close()


def _open(wanted: Wanted, folder: Path) -> Cluster:
    with contextlib.ExitStack() as on_failure:
        own = None
        if not wanted.scheduler:
            own = OwnCluster(folder, wanted.workers, wanted.patience_s)
            on_failure.callback(own.close)
        # Importing Dask takes a second, in which the workers do the same.
        import_distributed()
        from treadle.plugins.execution.on_dask.cluster import connect

        cluster = connect(wanted.scheduler, own, wanted.patience_s, folder / "dask.log")
        on_failure.pop_all()
        return cluster
