"""The program of a worker process of Treadle's own cluster.

Its standard input holds one line, what it needs to know as JSON, and stays open as long as Treadle lives: at its end
the process ends at once, and what it runs in the sandbox with it.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from pathlib import Path
from typing import Any

import dask
from distributed import Security, Worker


class _QuietWorker(Worker):
    """A worker that serves no pages."""

    def start_http_server(self, *_: object, **__: object) -> None:
        """Nothing is listened to but the cluster."""


def main() -> None:
    """Work until the scheduler closes the worker, or the standard input ends."""
    # What a person has set for clusters of their own is not meant for this one.
    dask.config.refresh(paths=[], env={})
    line = sys.stdin.buffer.readline()
    if not line:
        return
    lifeline = os.dup(0)
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    asyncio.run(_work(json.loads(line)))


def _end_with(lifeline: int) -> None:
    while os.read(lifeline, 4096):
        pass
    os._exit(0)


async def _work(setup: dict[str, Any]) -> None:
    worker = _QuietWorker(
        setup["scheduler"],
        name=setup["name"],
        nthreads=1,
        memory_limit=0,  # what jobs may use is the sandbox's business, and this process holds next to nothing
        host="127.0.0.1",
        protocol="tls",
        security=Security(require_encryption=True, **setup["security"]),
        local_directory=setup["folder"],
        dashboard=False,
        death_timeout=setup["patience_s"],
    )
    async with worker:
        await worker.finished()
