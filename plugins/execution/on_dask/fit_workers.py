"""Which workers of a cluster can be used: those that have this Treadle, and see what is here."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from distributed import Client

from treadle import __version__
from treadle.core.durations import in_seconds
from treadle.core.one_line import one_line
from treadle.plugins.execution.on_dask import on_worker
from treadle.plugins.execution.on_dask.no_cluster import NoCluster

LOOK_EVERY_S = 1.0
"""How often to look which workers there are, while something depends on it."""
_ASK_S = 10.0
"""How long a question may take that asks for no work."""
_OTHERS_S = 5.0
"""How long to wait for another worker where those that are there can't be used: one of them may be about to be
replaced."""


class FitWorkers:
    """What is known of the workers, by their addresses. Its coroutines belong into the client's event loop."""

    def __init__(self, client: Client, patience_s: float) -> None:
        """`patience_s`: how long to wait for a first worker."""
        self.patience_s = patience_s
        self._client = client
        self._met: set[str] = set()
        self._unfit: dict[str, str] = {}

    @property
    def unfit(self) -> Mapping[str, str]:
        """Why those are not used that can't be, each as the rest of a sentence."""
        return dict(self._unfit)

    def leave_out(self, address: str, why: str) -> None:
        """This worker can't be used."""
        self._unfit[address] = why

    def forget(self) -> None:
        """What was found out holds no longer."""
        self._met.clear()
        self._unfit.clear()

    async def there(self) -> set[str]:
        """All workers. Raises `NoCluster` when nobody answers."""
        if self._client.status not in ("running", "connecting"):
            raise NoCluster("the connection to the scheduler is lost")
        try:
            async with asyncio.timeout(_ASK_S):
                return set(await self._client.nthreads())
        except (OSError, TimeoutError, ValueError) as error:
            raise NoCluster(f"the scheduler does not answer any more: {one_line(error)}") from error

    async def fit(self) -> set[str]:
        """Those that can be used. Raises `NoCluster` when there is none in time."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        while True:
            there = await self.there()
            self._met &= there
            await asyncio.gather(*(self._meet(address) for address in there - self._met))
            self._unfit = {address: why for address, why in self._unfit.items() if address in there}
            if fit := there - self._unfit.keys():
                return fit
            if loop.time() - began > (min(_OTHERS_S, self.patience_s) if there else self.patience_s):
                raise self.none_of(there)
            await asyncio.sleep(LOOK_EVERY_S)

    def none_of(self, there: set[str]) -> NoCluster:
        """The error that tells why none of these can be used."""
        if not there:
            return NoCluster(f"no worker came up within {in_seconds(self.patience_s)}")
        reasons = sorted({self._unfit[address] for address in there if address in self._unfit})
        return NoCluster(f"none of its workers can be used ({len(there)} there): {'; '.join(reasons)}")

    async def _meet(self, address: str) -> None:
        """Hear which Treadle a worker has; one that does not say so in time is asked again later."""
        try:
            async with asyncio.timeout(_ASK_S):
                answers = await self._client.run(on_worker.introduce, workers=[address], on_error="return")
        except (OSError, TimeoutError, ValueError) as error:
            self._unfit[address] = f"it does not answer: {one_line(error)}"
            return
        said = answers.get(address)
        if said is None:  # it has just gone
            return
        self._met.add(address)
        self._unfit.pop(address, None)
        if isinstance(said, ImportError):
            self._unfit[address] = f"it can't import this version of Treadle: {one_line(said)}"
        elif isinstance(said, BaseException):
            self._unfit[address] = f"it failed: {one_line(said)}"
        elif said != __version__:
            self._unfit[address] = f"it has Treadle {said}, and here is {__version__}"
