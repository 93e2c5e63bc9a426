"""Running many jobs at the same time, but not too many."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Outcome:
    """What came of a job: its value, or the error that it ended with."""

    name: str
    value: Any = None
    error: Exception | None = None

    @property
    def ok(self) -> bool:
        """Whether it ended well."""
        return self.error is None


async def run_all(jobs: dict[str, Callable[[], Awaitable[Any]]], at_a_time: int = 4) -> list[Outcome]:
    """Run all jobs, so many at a time; the outcomes are in the order of the jobs. ValueError below one at a time."""
    if at_a_time < 1:
        raise ValueError("one at a time at least")
    gate = asyncio.Semaphore(at_a_time)

    async def run(name: str, job: Callable[[], Awaitable[Any]]) -> Outcome:
        async with gate:
            try:
                return Outcome(name, await job())
            except Exception as error:
                return Outcome(name, error=error)

    return list(await asyncio.gather(*(run(name, job) for name, job in jobs.items())))


async def first_good(jobs: Iterable[Awaitable[Any]]) -> Any:
    """The value of whichever job ends well first; the others are cancelled. LookupError if none does."""
    tasks = [asyncio.ensure_future(job) for job in jobs]
    try:
        for ended in asyncio.as_completed(tasks):
            try:
                return await ended
            except Exception:
                continue
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    raise LookupError("no job ended well")


def report(outcomes: list[Outcome]) -> str:
    """One line: how many ended well, and the names of those that didn't."""
    failed = [outcome.name for outcome in outcomes if not outcome.ok]
    line = f"{len(outcomes) - len(failed)} of {len(outcomes)} ok"
    return f"{line}; failed: {', '.join(failed)}" if failed else line
