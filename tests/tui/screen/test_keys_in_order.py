"""Keys in their order, also where a part that one is for is gone, hangs, or is made anew."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import ClassVar

import pytest
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input

from treadle.tui.screen import keys_in_order
from treadle.tui.screen.keys_in_order import KeysInOrder


class Field(Input):
    async def on_key(self, event: events.Key) -> None:
        if event.key == "h":
            assert isinstance(self.app, Typed)
            await self.app.hangs.wait()


class Typed(App[None]):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("f5", "note", priority=True)]

    def __init__(self) -> None:
        super().__init__()
        self.keys = KeysInOrder(self, super().on_event)
        self.noted: list[str] = []
        self.hangs = asyncio.Event()

    def compose(self) -> ComposeResult:
        yield Field()

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key) and not event.is_forwarded:
            await self.keys.hear(event)
        else:
            await super().on_event(event)

    def action_note(self) -> None:
        self.noted.append(self.query_one(Field).value)

    def type(self, *keys: str) -> None:
        for key in keys:
            self.post_message(events.Key(key, key if len(key) == 1 else None))


def play(what: Callable[[Typed], Awaitable[None]]) -> None:
    async def run() -> None:
        app = Typed()
        async with app.run_test():
            try:
                await what(app)
            finally:
                app.hangs.set()  # else nothing ends

    asyncio.run(asyncio.wait_for(run(), 60))


async def until(holds: Callable[[], object]) -> None:
    while not holds():
        await asyncio.sleep(0.01)


def test_a_key_waits_no_longer_than_that_for_one_that_is_never_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys_in_order, "PATIENCE_S", 0.05)

    async def what(app: Typed) -> None:
        app.type("a", "h", "f5")  # it waits while the one before it is handed on
        await until(lambda: app.noted == ["a"])
        app.type("b")
        await until(lambda: app.keys._under_way is not None)
        app.type("f5")  # and it comes while that is under way
        await until(lambda: app.noted == ["a", "a"])

    play(what)


def test_what_is_done_behind_keys_waits_no_longer_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys_in_order, "PATIENCE_S", 0.05)

    async def what(app: Typed) -> None:
        app.type("a", "h")
        app.call_later(app.keys.hear, app.action_note)
        await until(lambda: app.noted == ["a"])

    play(what)


def test_a_key_is_done_with_also_where_what_it_was_for_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys_in_order, "PATIENCE_S", 3600.0)

    async def what(app: Typed) -> None:
        field = app.query_one(Field)
        await field._close_messages(wait=False)
        assert not field.call_later(print), "it is closed"
        assert field._parent is not None, "and not taken away yet"
        done: list[events.Key] = []

        async def then(key: keys_in_order.Pressed) -> None:
            assert isinstance(key, events.Key)
            done.append(key)

        app.keys._climb(events.Key("a", "a"), field, then)
        await until(lambda: done)

    play(what)


def test_none_is_handed_on_while_it_rests_and_each_after_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys_in_order, "PATIENCE_S", 3600.0)

    async def what(app: Typed) -> None:
        field = app.query_one(Field)
        app.type("a")
        await until(lambda: field.value == "a")
        app.keys.rest()
        app.type("b", "f5", "c")
        app.call_later(app.keys.hear, app.action_note)
        await until(lambda: len(app.keys._waiting) == 4)
        assert (field.value, app.noted) == ("a", [])
        await app.keys.go_on()
        await until(lambda: app.noted == ["ab", "abc"])

    play(what)


def test_it_goes_on_also_where_one_under_way_is_never_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys_in_order, "PATIENCE_S", 3600.0)

    async def what(app: Typed) -> None:
        app.type("h")
        await until(lambda: app.keys._under_way is not None)
        app.keys.rest()
        await app.keys.go_on()
        app.type("f5")
        await until(lambda: app.noted)

    play(what)
