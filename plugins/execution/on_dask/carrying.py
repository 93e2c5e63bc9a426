"""Carrying a batch out: what happens in the event loop of Dask's client.

Dask gives the jobs to its workers and gives those of a lost worker to another. What it does not know is looked after
here: workers that would give other results than this machine, and jobs that end each worker on which they run.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from distributed import Client, as_completed
from distributed.scheduler import KilledWorker

from treadle import __version__
from treadle.core import wire
from treadle.core.one_line import one_line
from treadle.core.records import Execution
from treadle.plugins.execution.on_dask import on_worker
from treadle.plugins.execution.on_dask.errand import Answer
from treadle.plugins.execution.on_dask.no_cluster import NoCluster

_LOOK_EVERY_S = 1.0
_ROUNDS_FOR_NOTHING = 4
_ASK_S = 10.0
"""How long a worker may take to answer a question that asks for no work."""


class Carrier:
    """Has packed errands done by the workers of a cluster. All its coroutines belong into the client's event loop."""

    def __init__(self, client: Client, patience_s: float) -> None:
        """`patience_s`: how long to wait for a first worker that can be used."""
        self._client = client
        self._patience_s = patience_s
        self._met: set[str] = set()
        self._unfit: dict[str, str] = {}

    async def _fit_workers(self) -> set[str]:
        """The addresses of the workers that can be used now. Raises `NoCluster` when there is none in time."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._patience_s
        while True:
            there = await self._workers()
            await asyncio.gather(*(self._meet(address) for address in there - self._met))
            fit = there - self._unfit.keys()
            if fit:
                return fit
            if loop.time() > deadline:
                raise NoCluster(self._why_none(there))
            await asyncio.sleep(min(_LOOK_EVERY_S, self._patience_s))

    def reconsider(self) -> None:
        """What workers were found to see is no longer so: look at them again."""
        self._met.clear()
        self._unfit.clear()

    def unfit(self) -> Mapping[str, str]:
        """Why the workers of these addresses are not used, each as the rest of a sentence."""
        return dict(self._unfit)

    async def carry_out(self, errands: Sequence[bytes], executions: dict[int, Execution | None]) -> None:
        """Fill in the execution of each errand by its number; None for one that ended each worker on which it ran.
        Raises `NoCluster`. When it is cancelled, what runs is ended and what was done is filled in."""
        # Those that merely stood beside one that ends its worker have come under suspicion, too: each alone, then.
        for suspect in await self._until_done(range(len(errands)), errands, executions):
            if await self._until_done([suspect], errands, executions):
                executions[suspect] = None

    async def tell_all(self, function: Callable[..., object], *arguments: object) -> None:
        """Have a function called in each worker; what goes wrong there is not told."""
        await self._client.run(function, *arguments, on_error="ignore")

    async def _until_done(
        self, numbers: Sequence[int], errands: Sequence[bytes], executions: dict[int, Execution | None]
    ) -> list[int]:
        """Have these done; those that ended more workers than the scheduler allows."""
        suspects: list[int] = []
        rounds_for_nothing = 0
        while numbers:
            known = len(executions) + len(suspects) + len(self._unfit)
            numbers = await self._round(numbers, errands, executions, suspects)
            gained = len(executions) + len(suspects) + len(self._unfit) - known
            rounds_for_nothing = 0 if gained else rounds_for_nothing + 1
            if rounds_for_nothing == _ROUNDS_FOR_NOTHING:
                raise NoCluster("its workers end before they have done anything")
        return suspects

    async def _round(
        self,
        numbers: Sequence[int],
        errands: Sequence[bytes],
        executions: dict[int, Execution | None],
        suspects: list[int],
    ) -> list[int]:
        """Have these done; the numbers of those that have to be sent once more, since their worker turned out to be
        unfit or all that they could be given to are gone."""
        fit = await self._fit_workers()
        some_unfit = bool(self._unfit)
        name = f"treadle-{secrets.token_hex(8)}"
        keys = {f"{name}-{number}": number for number in numbers}
        futures = self._client.map(
            on_worker.run,
            [errands[number] for number in numbers],
            key=list(keys),
            pure=False,
            workers=sorted(fit) if some_unfit else None,
            allow_other_workers=False,
        )
        collecting = asyncio.ensure_future(self._collect(futures, keys, executions, suspects))
        watching = asyncio.ensure_future(self._watch(fit, theirs_alone=some_unfit))
        try:
            await asyncio.wait({collecting, watching}, return_when=asyncio.FIRST_COMPLETED)
            if collecting.done():
                collecting.result()
            else:
                watching.result()
        finally:
            for task in (collecting, watching):
                task.cancel()
            await asyncio.gather(collecting, watching, return_exceptions=True)
            unfinished = [future for future in futures if not future.done()]
            if unfinished:
                with contextlib.suppress(OSError):
                    await self._client.cancel(unfinished, force=True)
        return [number for number in numbers if number not in executions and number not in suspects]

    async def _collect(
        self, futures: list[Any], keys: Mapping[str, int], executions: dict[int, Execution | None], suspects: list[int]
    ) -> None:
        done = as_completed(futures, loop=self._client.loop, with_results=True, raise_errors=False)
        async for future, result in done:
            number = keys[future.key]
            if future.status == "error":
                error = result[1]
                if not isinstance(error, KilledWorker):
                    raise NoCluster(f"a worker failed: {one_line(error)}")
                suspects.append(number)
            elif isinstance(result, BaseException):
                raise NoCluster("the scheduler has gone, or does not want to run jobs any more")
            else:
                answer = _unpacked(result)
                if answer.execution is not None:
                    executions[number] = answer.execution
                else:
                    self._unfit[answer.worker] = answer.unfit

    async def _watch(self, fit: set[str], *, theirs_alone: bool) -> None:
        """Come back when those workers are gone that alone may do the jobs. Raises `NoCluster` when there is no worker
        at all for too long."""
        loop = asyncio.get_running_loop()
        seen = loop.time()
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            there = await self._workers()
            if there:
                seen = loop.time()
            if theirs_alone and there.isdisjoint(fit):
                return
            if loop.time() - seen > self._patience_s:
                raise NoCluster(self._why_none(there))

    async def _workers(self) -> set[str]:
        try:
            return set(await asyncio.wait_for(self._client.nthreads(), _ASK_S))
        except (OSError, TimeoutError, ValueError) as error:
            raise NoCluster(f"the scheduler does not answer any more: {one_line(error)}") from error

    async def _meet(self, address: str) -> None:
        """Hear which Treadle a worker has; one that does not say so in time is asked again later."""
        asking = self._client.run(on_worker.introduce, workers=[address], on_error="return")
        try:
            said = (await asyncio.wait_for(asking, _ASK_S)).get(address)
        except (OSError, TimeoutError, ValueError) as error:
            self._unfit[address] = f"it does not answer: {one_line(error)}"
            return
        self._met.add(address)
        self._unfit.pop(address, None)
        if isinstance(said, ImportError):
            self._unfit[address] = f"it can't import this version of Treadle: {one_line(said)}"
        elif isinstance(said, BaseException):
            self._unfit[address] = f"it failed: {one_line(said)}"
        elif said != __version__:
            self._unfit[address] = f"it has Treadle {said}, and here is {__version__}"

    def _why_none(self, there: set[str]) -> str:
        if not there:
            return f"no worker came up within {self._patience_s:g} s"
        reasons = sorted({self._unfit[address] for address in there if address in self._unfit})
        return f"none of its {len(there)} workers can be used: {'; '.join(reasons)}"


def _unpacked(result: bytes) -> Answer:
    try:
        answer: Answer = wire.unpack(result, Answer)
    except msgspec.MsgspecError as error:
        raise NoCluster(f"a worker's answer can't be understood: {one_line(error)}") from error
    return answer
