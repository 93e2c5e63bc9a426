"""Services that keep a connection alive and say nothing on it: by comments, pings, or pieces with nothing in them.

They do so while a request waits for its turn, or a model thinks unheard; and some for ever.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from treadle.plugins.models.bound import Bound

ALIVE = 5
"""How often as long as a silent service one is waited for that shows that it is alive: five minutes, where a minute of
silence is borne. DeepSeek has requests wait for up to ten, which is as long as any reply may take."""


@asynccontextmanager
async def growing(bound: Bound, silence_s: float) -> AsyncIterator[Callable[[], None]]:
    """An answer is read in this block, with that bound; what is given is to be called after each event. Where the
    answer does not grow for too long, the block ends as where nothing comes at all: with `httpx2.ReadTimeout`."""
    seconds = ALIVE * silence_s
    now = asyncio.get_running_loop().time
    size = bound.size

    def look() -> None:
        nonlocal size
        if bound.size != size:
            size = bound.size
            watch.reschedule(now() + seconds)

    try:
        async with asyncio.timeout(seconds) as watch:
            yield look
    except TimeoutError:
        if not watch.expired():
            raise
        import httpx2

        raise httpx2.ReadTimeout("the connection is alive, and nothing is said") from None
