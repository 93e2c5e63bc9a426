"""The full screen as a person uses it, without a terminal: keys in, text out."""

from __future__ import annotations

import asyncio
import time
import unicodedata
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual import events
from textual.keys import REPLACED_KEYS, _character_to_key, _get_unicode_name_from_key
from textual.pilot import Pilot

from treadle.core.config.screen_settings import ScreenSettings
from treadle.tui.screen.app import TreadleApp

PATIENCE_S = 60.0

_LOOKS_AGAIN_S = 0.03
_LOOKS_LATER_S = 0.12
"""Where it takes long: to draw the screen again and again, to look at it, would take from what it waits for."""
_ROUNDS = 3
"""From the app to who has the focus, from there to who does it, and to who is told."""

narrow_and_wide = pytest.mark.parametrize("size", [(80, 24), (160, 48)], ids=["80x24", "160x48"])


def _key(key: str) -> events.Key:
    name = _character_to_key(key) if len(key) == 1 and not key.isalnum() else key
    try:
        return events.Key(name, unicodedata.lookup(_get_unicode_name_from_key(REPLACED_KEYS.get(name, name))))
    except KeyError:
        return events.Key(name, name if len(name) == 1 else None)


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
        """Put it into the input as a terminal hands over what is pasted, and send it."""
        self.app.screen.query_one("#prompt").focus()
        self.app.post_message(events.Paste(text))
        await self.settle()
        await self.press("enter")

    async def press(self, *keys: str) -> None:
        """Press the keys, one after the other, and wait until the app is idle. Between two keys it waits until the
        first is heard and no longer: Textual's own `press` waits for an idle processor twice a key, which is most of
        the time that a test takes."""
        for key in keys:
            self.app.post_message(_key(key))
            await self.settle()
        await self.pilot.pause()

    async def settle(self) -> None:
        """Wait until all that was posted is heard, and what was posted by those who heard it."""
        for _ in range(_ROUNDS):
            await self.pilot.pause(0)

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait until it holds. Fails with what the screen shows when it does not in time."""
        deadline = time.monotonic() + PATIENCE_S
        pause = _LOOKS_AGAIN_S
        while not holds():
            assert time.monotonic() < deadline, self.text
            await self.pilot.pause(pause)
            pause = min(pause * 1.2, _LOOKS_LATER_S)

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
