"""Calling something again when it fails, with pauses that grow."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

Sleep = Callable[[float], Awaitable[None]]


class GaveUp(Exception):
    """All attempts failed; `errors` holds what each of them ended with."""

    def __init__(self, errors: list[Exception]):
        super().__init__(f"{len(errors)} attempts failed, the last with {errors[-1]!r}")
        self.errors = errors


@dataclass
class Retry:
    """How often to try, and how long to pause; `sleep` can be replaced so that nobody has to wait."""

    attempts: int = 3
    pause: float = 1.0
    factor: float = 2.0
    on: tuple[type[Exception], ...] = (OSError,)
    sleep: Sleep = asyncio.sleep

    async def call(self, work: Callable[..., Awaitable[Any]], *args: Any, **named: Any) -> Any:
        """The value of the first attempt that ends well; errors of other kinds than `on` end it at once."""
        errors: list[Exception] = []
        pause = self.pause
        while True:
            try:
                return await work(*args, **named)
            except self.on as error:
                errors.append(error)
            if len(errors) >= self.attempts:
                raise GaveUp(errors) from errors[-1]
            await self.sleep(pause)
            pause *= self.factor


@dataclass
class Breaker:
    """Lets nothing through for a while after so many failures on end; `now` tells the time in seconds."""

    now: Callable[[], float]
    failures: int = 3
    rest: float = 30.0
    _failed: int = field(default=0, init=False)
    _until: float = field(default=0.0, init=False)

    @property
    def is_open(self) -> bool:
        """Whether nothing is let through."""
        return self.now() < self._until

    async def call(self, work: Callable[[], Awaitable[Any]]) -> Any:
        """The value of the work; RuntimeError without calling it while the breaker is open."""
        if self.is_open:
            raise RuntimeError("resting after failures")
        try:
            value = await work()
        except Exception:
            self._failed += 1
            if self._failed >= self.failures:
                self._until = self.now() + self.rest
                self._failed = 0
            raise
        self._failed = 0
        return value
