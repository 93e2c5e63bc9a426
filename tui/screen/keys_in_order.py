"""Keys take effect in the order in which they came, however fast they come.

A letter acts where it is written, a key of an action only once it has gone from there up to the app: of keys that come
in a burst, as from a slow line or a program that types, letters would overtake the keys before them.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from textual import events
from textual.app import App
from textual.message_pump import MessagePump

PATIENCE_S = 2.0
"""For so long a key waits for the one before it, which a part of the screen that hangs or broke may never be done with.
"""

Pressed = events.Key | events.Paste
Entry = Pressed | Callable[[], None]
"""A key, or something else that is done behind the keys that came before it."""


class KeysInOrder:
    """Hands the app the next key once all that the one before it stands for has been done."""

    def __init__(self, app: App[None], hand_on: Callable[[Pressed], Awaitable[None]]) -> None:
        """`hand_on` has the app hear a key, in a message of its own."""
        self._app = app
        self._hand_on = hand_on
        self._waiting: deque[Entry] = deque()
        self._under_way: Pressed | None = None
        self._rests = False

    def rest(self) -> None:
        """Hand on none: a screen is made anew."""
        self._rests = True

    async def go_on(self) -> None:
        """It is there: it hears the next one, whatever became of the one before."""
        self._rests, self._under_way = False, None
        await self._next()

    async def hear(self, entry: Entry) -> None:
        """One has come: it is handed on (done, where it is no key) now, or behind those before it."""
        self._waiting.append(entry)
        if self._under_way is None:
            await self._next()
        elif len(self._waiting) == 1:
            self._wait_no_longer_than_that(self._under_way)

    async def _next(self) -> None:
        if self._rests or not self._waiting:
            return
        entry = self._waiting.popleft()
        if not isinstance(entry, Pressed):
            entry()
            await self._next()
            return
        self._under_way = entry
        if self._waiting:
            self._wait_no_longer_than_that(entry)
        for_whom = self._app.focused or self._app.screen
        await self._hand_on(entry)
        self._climb(entry, for_whom, self._is_heard)

    def _wait_no_longer_than_that(self, key: Pressed) -> None:
        asyncio.get_running_loop().call_later(PATIENCE_S, self._app.call_later, self._is_done, key)

    def _climb(self, key: Pressed, node: MessagePump, then: Callable[[Pressed], Awaitable[None]]) -> None:
        """Do that behind all that waits at that node, and then at each of those above it, up to the app."""
        above = node._parent
        if above is None:
            self._app.call_later(then, key)
        elif not node.call_later(self._climb, key, above, then):  # it is closed
            self._climb(key, above, then)

    async def _is_heard(self, key: Pressed) -> None:
        """The key is. What was posted for it is on its way, and a screen that it has opened is being made: both are
        waited for."""
        if key is self._under_way:
            self._climb(key, self._app.focused or self._app.screen, self._is_done)

    async def _is_done(self, key: Pressed) -> None:
        if key is self._under_way:
            self._under_way = None
            await self._next()
