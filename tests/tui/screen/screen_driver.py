"""The full screen as a person uses it, without a terminal: keys in, text out."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from treadle.core.config.screen_settings import ScreenSettings
from treadle.tui.screen.app import TreadleApp

PATIENCE_S = 60.0

SIZES = ((80, 24), (100, 30), (160, 48))


def _at(*sizes: tuple[int, int]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("size", sizes, ids=[f"{width}x{height}" for width, height in sizes])


at_each_size = _at(*SIZES)
narrow_and_wide = _at(SIZES[0], SIZES[-1])
"""For what is laid out the same way at all sizes."""


class Driven:
    """The app while it runs."""

    def __init__(self, app: TreadleApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def text(self) -> str:
        """What the screen shows, a line each, without blanks at their ends."""
        rows = self.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in row).rstrip() for row in rows)

    async def send(self, text: str) -> None:
        """Write it into the input, and send it."""
        self.app.screen.query_one("#prompt").focus()
        await self.pilot.press(*("space" if char == " " else char for char in text), "enter")

    async def press(self, *keys: str) -> None:
        """Press the keys, one after the other."""
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait until it holds. Fails with what the screen shows when it does not in time."""
        deadline = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < deadline, self.text
            await self.pilot.pause(0.1)

    async def shows(self, *texts: str) -> None:
        """Wait until the screen shows all of these."""

        def shown() -> bool:
            drawn = self.text
            return all(text in drawn for text in texts)

        await self.until(shown)


def drive(
    project: Path,
    play: Callable[[Driven], Awaitable[None]],
    size: tuple[int, int] = (100, 30),
    *,
    survives: bool = False,
    preferences: ScreenSettings | None = None,
) -> TreadleApp:
    """Play it on the screen of that project; what is at work at the end is stopped."""
    app = TreadleApp(project, preferences=preferences or ScreenSettings(), survives=survives)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await play(Driven(app, pilot))

    with app.control.closing():
        asyncio.run(run())
    assert app.control.wait(10), "the session did not stop"
    return app
