"""Reading a stream at an easy pace: to wake up for each of hundreds of small pieces costs more than the pieces."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import TypeVar

T = TypeVar("T")

GATHER_S = 0.05
"""How long pieces gather, unseen by a person who reads along."""
_AT_ONCE_S = 0.001


async def unhurried(pieces: AsyncIterator[T]) -> AsyncIterator[T]:
    """The same pieces. After one that had to be waited for, those behind it are given time to gather, so that they
    come all at once; a stream that is faster than its reader is never held up."""
    asked_at = time.monotonic()
    async for piece in pieces:
        waited = time.monotonic() - asked_at > _AT_ONCE_S
        yield piece
        if waited:
            await asyncio.sleep(GATHER_S)
        asked_at = time.monotonic()
