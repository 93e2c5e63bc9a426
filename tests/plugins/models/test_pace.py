"""An easy pace of reading: pieces gather behind one that had to be waited for, and nothing holds up a fast stream."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace

import pytest

from treadle.plugins.models import pace


def test_only_after_a_piece_that_was_waited_for_others_gather(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    happened: list[object] = []

    async def gather(seconds: float) -> None:
        happened.append("gather")
        clock[0] += seconds

    async def pieces() -> AsyncIterator[int]:
        for piece, waited_s in enumerate((0.2, 0.0, 0.0, 0.2, 0.0)):
            clock[0] += waited_s
            yield piece

    async def read() -> None:
        async for piece in pace.unhurried(pieces()):
            happened.append(piece)

    monkeypatch.setattr(pace, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    monkeypatch.setattr(pace, "asyncio", SimpleNamespace(sleep=gather))
    asyncio.run(read())
    assert happened == [0, "gather", 1, 2, 3, "gather", 4]
