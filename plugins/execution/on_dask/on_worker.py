"""What runs in the process of a Dask worker: jobs in the sandbox, in pools that are kept for each session.

Pools are closed when the session says so (`close`), and, since a session can be killed, when it has sent nothing for
`IDLE_S` seconds.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Iterator

from distributed import Reschedule, Worker, get_worker

from treadle import __version__, sandbox
from treadle.core import wire
from treadle.core.records import Execution
from treadle.plugins.execution.on_dask.errand import Answer, Errand
from treadle.plugins.execution.on_dask.view import Place, View, difference, look
from treadle.plugins.execution.pools import Pools, key_of
from treadle.plugins.execution.running import REFUSING, refused, wait_for
from treadle.plugins.execution.translation import to_execution, to_sandbox

IDLE_S = 60.0
_SWEEP_EVERY_S = 5.0


class Crew:
    """What a worker keeps for one session."""

    def __init__(self, threads: int) -> None:
        self._pools = Pools(threads)
        self._seen: dict[Place, tuple[View, View]] = {}
        self._looking = threading.Lock()
        self._lock = threading.Lock()
        self._busy = 0
        self._last = time.monotonic()

    @contextlib.contextmanager
    def at_work(self) -> Iterator[None]:
        """While the block runs the crew is not idle."""
        with self._lock:
            self._busy += 1
        try:
            yield
        finally:
            with self._lock:
                self._busy -= 1
                self._last = time.monotonic()

    def is_idle(self) -> bool:
        """Whether nothing was asked of it for `IDLE_S` seconds."""
        with self._lock:
            return not self._busy and time.monotonic() - self._last > IDLE_S

    def unfit(self, place: Place, expected: View) -> str:
        """Why jobs of that place can't run here; "" when they can. It is looked at once for each state of the place."""
        with self._looking:  # the others that begin at the same moment wait for what it sees
            known, seen = self._seen.get(place, (None, None))
            if seen is None or known != expected:
                seen = look(place)
                self._seen[place] = expected, seen
        return difference(expected, seen, place)

    def run(self, errand: Errand, unwanted: Callable[[], bool]) -> Execution:
        """Run the job. Raises `Reschedule` when it was ended because nobody wants it here any more."""
        job, cancel = errand.job, threading.Event()
        # A job that would write into its folder itself is never sent here.
        key = key_of(job, errand.limits, errand.place.python, overlay_possible=lambda _: True)
        try:
            with self._pools.lease(key, job.preload, job.workspace) as pool:
                future = pool.submit(to_sandbox(job, errand.limits), cancel=cancel)
                wait_for([future], unwanted, cancel)
                result = future.result()
        except REFUSING as error:
            result = refused(error)
        if cancel.is_set():
            raise Reschedule
        return to_execution(job, result)

    def close(self, workspace: str | None) -> None:
        """Close the pools of one workspace, or all."""
        self._pools.close(workspace)


class _Crews:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._crews: dict[str, Crew] = {}
        self._sweeping = False

    @contextlib.contextmanager
    def at_work(self, session: str, threads: int) -> Iterator[Crew]:
        with contextlib.ExitStack() as work:
            with self._lock:
                crew = self._crews.get(session)
                if crew is None:
                    crew = self._crews[session] = Crew(threads)
                work.enter_context(crew.at_work())
                if not self._sweeping:
                    self._sweeping = True
                    threading.Thread(target=self._sweep, name="treadle-sweep", daemon=True).start()
            yield crew

    def close(self, session: str, workspace: str | None) -> None:
        with self._lock:
            crew = self._crews.get(session) if workspace else self._crews.pop(session, None)
        if crew is not None:
            crew.close(workspace)
        if workspace is None:
            sandbox.close_idle()

    def _sweep(self) -> None:
        while True:
            time.sleep(_SWEEP_EVERY_S)
            with self._lock:
                idle = [session for session, crew in self._crews.items() if crew.is_idle()]
                closing = [self._crews.pop(session) for session in idle]
                self._sweeping = bool(self._crews)
                over = not self._sweeping
            for crew in closing:
                crew.close(None)
            if over:
                return


_crews = _Crews()


def introduce() -> str:
    """The version of the Treadle that is installed for this worker."""
    return __version__


def run(packed: bytes) -> bytes:
    """Run an `Errand` in a thread of the worker; an `Answer`, both packed."""
    worker = get_worker()
    errand: Errand = wire.unpack(packed, Errand)
    with _crews.at_work(errand.session, worker.state.nthreads) as crew:
        unfit = crew.unfit(errand.place, errand.view)
        if unfit:
            return wire.pack(Answer(worker=worker.address, unfit=unfit))
        key = str(worker.get_current_task())
        execution = crew.run(errand, lambda: _is_unwanted(worker, key))
    return wire.pack(Answer(worker=worker.address, execution=execution))


async def close(session: str, workspace: str | None = None) -> None:
    """End what is kept for a session, or for one of its workspaces."""
    await asyncio.to_thread(_crews.close, session, workspace)


def _is_unwanted(worker: Worker, key: str) -> bool:
    """Whether the task was taken back while it runs. Dask ends no thread; it only marks what was released."""
    task = worker.state.tasks.get(key)
    return task is None or task.state == "cancelled"
