"""Carrying a batch out.

Dask gives the jobs to its workers and gives those of a lost worker to another. What it does not know is looked after
here: workers that would give other results than this machine, and jobs that end each worker on which they run.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from distributed import Client, as_completed
from distributed.scheduler import KilledWorker

from treadle.core import wire
from treadle.core.one_line import one_line
from treadle.core.records import Execution
from treadle.plugins.execution.on_dask import on_worker
from treadle.plugins.execution.on_dask.errand import Answer
from treadle.plugins.execution.on_dask.fit_workers import LOOK_EVERY_S, FitWorkers
from treadle.plugins.execution.on_dask.no_cluster import NoCluster

_ROUNDS_FOR_NOTHING = 4


class Batch:
    """Packed errands, and what came of each: `executions` by the errand's number, None for one that ended each worker
    on which it ran. Set `unwanted` when nobody waits for the rest any more. Its coroutines belong into the client's
    event loop."""

    def __init__(self, client: Client, workers: FitWorkers, errands: Sequence[bytes]) -> None:
        self.executions: dict[int, Execution | None] = {}
        self.unwanted = threading.Event()
        self._client = client
        self._workers = workers
        self._errands = errands
        self._suspects: set[int] = set()

    async def carry_out(self) -> None:
        """Have all errands done. Raises `NoCluster`. When it is cancelled, what runs is ended."""
        await self._until_done(range(len(self._errands)))
        # Those that merely stood beside one that ends its worker have come under suspicion, too: each alone, then.
        for number in sorted(self._suspects):
            self._suspects.discard(number)
            await self._until_done([number])
            if number in self._suspects:
                self.executions[number] = None

    async def _until_done(self, numbers: Sequence[int]) -> None:
        """Have these done, or come under suspicion for ending more workers than the scheduler allows."""
        for_nothing = 0
        while numbers and not self.unwanted.is_set():
            known = self._known()
            numbers = await self._round(numbers)
            for_nothing = for_nothing + 1 if self._known() == known else 0
            if for_nothing == _ROUNDS_FOR_NOTHING:
                raise NoCluster("its workers end before they have done anything")

    def _known(self) -> int:
        return len(self.executions) + len(self._suspects) + len(self._workers.unfit)

    async def _round(self, numbers: Sequence[int]) -> list[int]:
        """Have these done; the numbers of those that have to be sent once more, since their worker turned out to be
        unfit, or all that they could be given to are gone."""
        fit = await self._workers.fit()
        if self.unwanted.is_set():
            return []
        some_unfit = bool(self._workers.unfit)
        name = f"treadle-{secrets.token_hex(8)}"
        keys = {f"{name}-{number}": number for number in numbers}
        futures = self._client.map(
            on_worker.run,
            [self._errands[number] for number in numbers],
            key=list(keys),
            pure=False,
            workers=sorted(fit) if some_unfit else None,
            allow_other_workers=False,
        )
        over = asyncio.Event()
        collecting = asyncio.ensure_future(self._collect(futures, keys))
        watching = asyncio.ensure_future(self._watch(fit, over, theirs_alone=some_unfit))
        try:
            await asyncio.wait({collecting, watching}, return_when=asyncio.FIRST_COMPLETED)
            if collecting.done():
                collecting.result()
            else:
                watching.result()
        finally:
            await self._take_back([future for future in futures if not future.done()])
            # A task that waits for Dask's answer can miss that it was cancelled, when both come at once.
            over.set()
            for task in (collecting, watching):
                task.cancel()
            await asyncio.gather(collecting, watching, return_exceptions=True)
        return [number for number in numbers if number not in self.executions and number not in self._suspects]

    async def _collect(self, futures: list[Any], keys: Mapping[str, int]) -> None:
        done = as_completed(futures, loop=self._client.loop, with_results=True, raise_errors=False)
        async for future, result in done:
            number = keys[future.key]
            if future.status == "error":
                error = result[1]
                if not isinstance(error, KilledWorker):
                    raise NoCluster(f"a worker failed: {one_line(error)}")
                self._suspects.add(number)
            elif isinstance(result, BaseException):
                raise NoCluster("the scheduler has gone, or does not want to run jobs any more")
            else:
                answer = _unpacked(result)
                if answer.execution is not None:
                    self.executions[number] = answer.execution
                else:
                    self._workers.leave_out(answer.worker, answer.unfit)

    async def _watch(self, fit: set[str], over: asyncio.Event, *, theirs_alone: bool) -> None:
        """Come back when those workers are gone that alone may do the jobs. Raises `NoCluster` when there is no worker
        at all for too long."""
        loop = asyncio.get_running_loop()
        seen = loop.time()
        while not over.is_set():
            await asyncio.sleep(LOOK_EVERY_S)
            there = await self._workers.there()
            if there:
                seen = loop.time()
            if theirs_alone and there.isdisjoint(fit):
                return
            if loop.time() - seen > self._workers.patience_s:
                raise self._workers.none_of(there)

    async def _take_back(self, futures: list[Any]) -> None:
        if futures and self._client.status == "running":
            with contextlib.suppress(OSError):
                await self._client.cancel(futures, force=True)


def _unpacked(result: bytes) -> Answer:
    try:
        answer: Answer = wire.unpack(result, Answer)
    except msgspec.MsgspecError as error:
        raise NoCluster(f"a worker's answer can't be understood: {one_line(error)}") from error
    return answer
