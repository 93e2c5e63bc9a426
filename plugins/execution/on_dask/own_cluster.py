"""A Dask cluster of Treadle's own: a scheduler in this process, and worker processes that end with it.

It is reachable by loopback alone, and there only for who holds the certificate: it is made anew for each cluster, and
kept in memory. Workers are not started by Dask's own nanny: that one goes by `multiprocessing`, whose children import
their first modules from the current folder, which is the person's project, outside of the sandbox.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treadle.core import keys
from treadle.core.tree.remove_tree import remove_tree
from treadle.plugins.execution.on_dask.no_cluster import NoCluster
from treadle.plugins.execution.on_dask.unset import nothing_set

_START = """
import sys
sys.path.append(sys.argv[1])
from treadle.plugins.execution.on_dask.unset import import_distributed
import_distributed()
from treadle.plugins.execution.on_dask.worker_process import main
main()
"""
# Enough for a job that ends every worker that it meets; a machine on which they end by themselves is not fit for them.
_MOST_RESTARTS = 12
_END_S = 3.0
_LOOPBACK = "127.0.0.1"
_SETTINGS = {
    "distributed.scheduler.allowed-failures": 0,
    "distributed.scheduler.worker-ttl": "60s",
    "distributed.scheduler.active-memory-manager.start": False,
}


@dataclass(eq=False)
class _WorkerProcess:
    """One worker process, with the file in which it leaves what goes wrong."""

    number: int
    log: Path
    process: subprocess.Popen[bytes]

    def tell(self, setup: dict[str, Any]) -> None:
        """Give it what it needs to begin; one that has ended meanwhile will be noticed."""
        with contextlib.suppress(OSError):
            assert self.process.stdin is not None
            self.process.stdin.write(json.dumps(setup).encode() + b"\n")
            self.process.stdin.flush()

    def end(self) -> None:
        """Let go of it; it ends by itself."""
        with contextlib.suppress(OSError):
            assert self.process.stdin is not None
            self.process.stdin.close()

    def wait(self) -> None:
        """Wait until it has ended, and see to it."""
        try:
            self.process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def last_words(self) -> str:
        """The last line of its log, "" when it left none."""
        said = self.log.read_text(encoding="utf-8", errors="replace").strip()
        return said.splitlines()[-1].strip() if said else ""


class OwnCluster:
    """The worker processes, which load what they need while this process does, and later the scheduler.

    `folder` is for a folder of their logs and scratch files, removed with them; `patience_s` is how long a worker looks
    for the scheduler. Not for use by two threads at once."""

    def __init__(self, folder: Path, workers: int, patience_s: float) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="workers-", dir=folder))
        self._patience_s = patience_s
        self._setup: dict[str, Any] | None = None
        self._scheduler: Any = None
        self._settings = contextlib.ExitStack()
        self._restarts_left = _MOST_RESTARTS
        self._workers = [self._start(number) for number in range(workers)]

    @property
    def size(self) -> int:
        """How many workers it has when all of them run."""
        return len(self._workers)

    def open(self) -> Any:
        """Start the scheduler: what a client of it is made with. Raises `NoCluster`."""
        import dask
        from distributed import Security, SpecCluster

        from treadle.plugins.execution.on_dask.quiet_scheduler import QuietScheduler

        # What a person has set for clusters of their own is not meant for this one.
        self._settings.enter_context(nothing_set())
        dask.config.set(_SETTINGS)
        try:
            security = Security.temporary()
            options = {"host": _LOOPBACK, "port": 0, "protocol": "tls", "security": security, "dashboard": False}
            scheduler = {"cls": QuietScheduler, "options": options}
            self._scheduler = SpecCluster(workers={}, scheduler=scheduler, security=security)
        except (ImportError, OSError, RuntimeError) as error:
            raise NoCluster(f"the scheduler can't be started: {error}") from error
        self._setup = {
            "scheduler": self._scheduler.scheduler_address,
            "security": {
                "tls_ca_file": security.tls_ca_file,
                "tls_worker_cert": security.tls_worker_cert,
                "tls_worker_key": security.tls_worker_key,
            },
            "patience_s": self._patience_s,
        }
        for worker in self._workers:
            self._tell(worker)
        return self._scheduler

    def check(self) -> None:
        """Raise `NoCluster` when a worker has ended that should just have begun."""
        for worker in self._workers:
            if (code := worker.process.poll()) is not None:
                raise NoCluster(f"a worker ended at its start with {code}: {worker.last_words()}")

    def tend(self) -> None:
        """Start those workers again that have ended. Raises `NoCluster` when too many did."""
        for place, worker in enumerate(self._workers):
            code = worker.process.poll()
            if code is None:
                continue
            worker.end()
            if not self._restarts_left:
                raise NoCluster(f"its workers end again and again, the last with {code}: {worker.last_words()}")
            self._restarts_left -= 1
            self._workers[place] = self._start(worker.number)
            self._tell(self._workers[place])

    def close(self) -> None:
        """End the workers and the scheduler, and remove the folder. Once is enough, and more does no harm."""
        for worker in self._workers:
            worker.end()
        for worker in self._workers:
            worker.wait()
        self._workers = []
        if self._scheduler is not None:
            with contextlib.suppress(OSError, TimeoutError):
                self._scheduler.close(timeout=_END_S)
            self._scheduler = None
        self._settings.close()
        with contextlib.suppress(OSError):
            remove_tree(self._folder.parent, self._folder.name)

    def _start(self, number: int) -> _WorkerProcess:
        log = self._folder / f"worker-{number}.log"
        with log.open("ab") as said:
            process = subprocess.Popen(
                [sys.executable, "-P", "-c", _START, str(Path(sys.modules["treadle"].__path__[0]).parent)],
                stdin=subprocess.PIPE,
                stdout=said,
                stderr=said,
                cwd=self._folder,
                env={name: value for name, value in os.environ.items() if not _is_kept_from_workers(name)},
                start_new_session=True,
            )
        return _WorkerProcess(number, log, process)

    def _tell(self, worker: _WorkerProcess) -> None:
        if self._setup is not None:
            own = {"name": f"treadle-{worker.number}-{worker.process.pid}", "folder": str(self._folder)}
            worker.tell(self._setup | own)


def _is_kept_from_workers(variable: str) -> bool:
    """Whether it is a setting of Dask's, or holds the key of a service, for which workers have no use."""
    return variable.startswith("DASK_") or variable in keys.KNOWN.variables
