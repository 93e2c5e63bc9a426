"""A warm pool: programs start in the fork of an interpreter that has its modules imported already."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType

from treadle.sandbox.execution import died, execute
from treadle.sandbox.interpreter import read_paths
from treadle.sandbox.job import DEFAULT_PATH, Command, Script, environment
from treadle.sandbox.limits import Limits
from treadle.sandbox.policy import Policy
from treadle.sandbox.result import Result
from treadle.sandbox.server_process import OnOutput, ServerDied, Setup, start
from treadle.sandbox.workers import Cancelled, Workers

Job = Script | Command | str
"""What a pool runs; a text is the source of a `Script`."""


class Pool:
    """`workers` servers under one interpreter and policy, started on first use and again when one dies.

    `preload` names installed modules that are imported ahead, behind the layers; when that would bring in code of the
    overlaid project itself, nothing is. `env` holds for the interpreter and for every job; `cwd` where jobs start that
    name no folder of their own (by default the overlay's, else their own private folder). `python` None serves
    commands alone; `program_paths` is what the interpreter must be able to read (by default found by looking at it).
    Safe for several threads, and not for forks of this process.
    """

    def __init__(
        self,
        *,
        python: str | None = sys.executable,
        preload: Sequence[str] = (),
        workers: int = 2,
        policy: Policy | None = None,
        limits: Limits | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        program_paths: Sequence[str] | None = None,
    ) -> None:
        if workers < 1:
            raise ValueError("a pool needs at least one worker")
        self.policy = policy or Policy()
        self.limits = limits or Limits()
        overlay = self.policy.overlay
        self.cwd = os.path.abspath(cwd) if cwd else (overlay.lower if overlay else None)
        path = f"{os.path.dirname(python)}:{DEFAULT_PATH}" if python else DEFAULT_PATH
        self.env = environment({"PATH": path}, env or {})
        if program_paths is None:
            program_paths = read_paths(python) if python else ()
        self._setup = Setup(
            policy=self.policy,
            readable=self.policy.readable(program_paths),
            python=python or "",
            preload=tuple(preload),
            env=tuple(sorted(self.env.items())),
            folders=(self.cwd,) if self.cwd else (),
        )
        self._workers = Workers(workers, lambda cancel: start(self._setup, cancel))
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="treadle-pool")
        self._closed = False
        self._owner = os.getpid()

    def run(self, job: Job, *, cancel: threading.Event | None = None, on_output: OnOutput | None = None) -> Result:
        """Run one job on the next free worker. `on_output(stream, data)` is called in this thread with each piece of
        stdout (1) and stderr (2) as it comes; while it works, a job that prints a lot waits. Raises RuntimeError after
        `close` and in a fork of the process that made the pool, ValueError for arguments that no process can have."""
        self._check_open()
        if isinstance(job, str):
            job = Script(job)
        if isinstance(job, Script) and not self._setup.python:
            raise ValueError("this pool has no Python to run a script with")
        try:
            server = self._workers.take(cancel)
        except Cancelled:
            return Result("killed", message="cancelled while it waited for a free worker")
        except ServerDied as error:
            stopped = cancel is not None and cancel.is_set()
            return Result("killed") if stopped else Result("refused", message=str(error))
        answered = False
        try:
            result = execute(
                server,
                job,
                limits=job.limits or self.limits,
                env=self.env,
                cwd=job.cwd or self.cwd,
                cancel=cancel,
                on_output=on_output,
            )
            answered = True
            return result
        except ServerDied as error:
            return died(error)
        finally:
            # Without its answer it may be busy with a job that nobody waits for any more, and would take the next one
            # for that one's end.
            if not answered:
                server.close()
            self._workers.give_back(server if answered else None)

    def run_many(self, jobs: Sequence[Job], *, cancel: threading.Event | None = None) -> list[Result]:
        """Run jobs on all workers; the results are in the jobs' order."""
        return [future.result() for future in [self.submit(job, cancel=cancel) for job in jobs]]

    def submit(
        self, job: Job, *, cancel: threading.Event | None = None, on_output: OnOutput | None = None
    ) -> Future[Result]:
        """Run a job when a worker is free; its result to come. `on_output` is called in that worker's thread. Raises as
        `run` does."""
        self._check_open()
        return self._threads.submit(self.run, job, cancel=cancel, on_output=on_output)

    def warm(self) -> tuple[str, ...]:
        """Start a worker if none runs yet; the layers that are on. Raises ServerDied, RuntimeError after `close`."""
        self._check_open()
        server = self._workers.take()
        self._workers.give_back(server)
        return server.layers

    def close(self) -> None:
        """End all workers, when the jobs that run have ended. Once is enough, and more does no harm; in a fork the
        workers are not its own to end."""
        if self._closed or os.getpid() != self._owner:
            return
        self._closed = True
        self._threads.shutdown(wait=True, cancel_futures=True)
        self._workers.close()

    def _check_open(self) -> None:
        if self._closed:
            raise RuntimeError("the pool is closed")
        if os.getpid() != self._owner:
            raise RuntimeError("the pool belongs to the process that made it; a fork needs one of its own")

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
