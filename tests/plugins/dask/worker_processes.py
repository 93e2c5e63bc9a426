"""The processes of a Dask cluster, as the machine sees them."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable

import psutil

_OURS = "on_dask.worker_process"
# Dask's own nanny starts them so.
_DASKS = "multiprocessing.spawn"


def workers(of: int | None = None) -> list[psutil.Process]:
    """The worker processes that a process has started, this one if none is named."""
    return [child for child in _children(of or os.getpid()) if _is_worker(child)]


def servers(worker: psutil.Process) -> list[psutil.Process]:
    """The sandbox's servers of a worker process."""
    return _children(worker.pid)


def worker_that_runs(argument: str) -> psutil.Process | None:
    """The worker process below which a job with that argument runs."""
    for worker in workers():
        with contextlib.suppress(psutil.Error):
            for process in worker.children(recursive=True):
                with contextlib.suppress(psutil.Error):
                    if argument in process.cmdline():
                        return worker
    return None


def kill(worker: psutil.Process) -> None:
    """End it as the kernel does when there is no memory left."""
    with contextlib.suppress(psutil.Error):
        worker.send_signal(signal.SIGKILL)


def wait_until(holds: Callable[[], object], seconds: float = 20.0) -> bool:
    """Whether it holds in time."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def _children(pid: int) -> list[psutil.Process]:
    with contextlib.suppress(psutil.NoSuchProcess):
        return psutil.Process(pid).children()
    return []


def _is_worker(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.Error):
        return any(_OURS in argument or _DASKS in argument for argument in process.cmdline())
    return False
