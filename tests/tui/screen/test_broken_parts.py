"""A part of the screen that breaks: it is told and made anew, and the session goes on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual import events

from tests.tui.screen.screen_driver import Driven, drive
from treadle.tui.control.mailbox import Began, Notice, Rested
from treadle.tui.screen.app import MOST_CRASHES
from treadle.tui.screen.session_screen import SessionScreen
from treadle.tui.story.story import Story
from treadle.tui.widgets.prompt import Prompt
from treadle.tui.widgets.row_view import RowView


def breaks_once(monkeypatch: pytest.MonkeyPatch, owner: type, name: str) -> list[str]:
    """The method of that name raises when it is called next, and works again after that."""
    works = getattr(owner, name)
    broken: list[str] = []

    def method(self: object, *args: object, **kwargs: object) -> object:
        if not broken:
            broken.append(name)
            raise RuntimeError("it [broke] here")
        return works(self, *args, **kwargs)

    monkeypatch.setattr(owner, name, method)
    return broken


async def draw_again(screen: Driven) -> None:
    screen.app.session_screen.pane("activity").refresh()


async def turn(screen: Driven) -> None:
    screen.app.session_screen.pane("activity").focus()
    screen.app.post_message(events.Key("enter", None))


async def write(screen: Driven) -> None:
    screen.app.session_screen.prompt.focus()
    screen.app.post_message(events.Key("x", "x"))


async def resize(screen: Driven) -> None:
    await screen.pilot.resize_terminal(110, 31)


async def open_all(screen: Driven) -> None:
    screen.app.post_message(events.Key("ctrl+o", None))


@pytest.mark.parametrize(
    ("owner", "name", "happens"),
    [
        (RowView, "render_line", draw_again),
        (RowView, "action_turn", turn),
        (Prompt, "_on_key", write),
        (SessionScreen, "draw", open_all),
        (SessionScreen, "on_resize", resize),
        (Story, "fold", open_all),
    ],
)
def test_what_breaks_is_told_and_the_session_goes_on(
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    owner: type,
    name: str,
    happens: Callable[[Driven], Awaitable[None]],
) -> None:
    async def play(screen: Driven) -> None:
        await screen.send("/fix")
        await screen.shows("Tests as they are")
        broken = breaks_once(monkeypatch, owner, name)
        await happens(screen)
        await screen.until(lambda: broken)
        await screen.shows("was made anew", "RuntimeError: it [broke] here")
        await screen.shows("Fixed: stats.py")
        await screen.send("/accept")
        await screen.shows("✓ Applied")

    drive(project, play, survives=True)


def test_a_screen_that_breaks_again_and_again_is_given_up(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken: list[object] = []

    def breaks(self: object, *args: object) -> None:
        broken.append(self)
        raise RuntimeError("always")

    async def play(screen: Driven) -> None:
        monkeypatch.setattr(Prompt, "action_new_line", breaks)
        for number in range(1, MOST_CRASHES + 2):
            screen.app.session_screen.prompt.focus()
            screen.app.post_message(events.Key("ctrl+j", None))
            await screen.until(lambda: len(broken) == number)  # noqa: B023 - it is awaited in the same round
            await screen.until(lambda: screen.app.crash or screen.app.session_screen.is_mounted)
        await screen.until(lambda: screen.app.crash)

    with pytest.raises(RuntimeError, match="always"):
        drive(project, play, survives=True)
    assert len(broken) == MOST_CRASHES + 1


def test_what_has_come_behind_what_breaks_is_heard_all_the_same(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(screen: Driven) -> None:
        await screen.until(lambda: screen.app.session_screen.is_mounted)
        broken = breaks_once(monkeypatch, SessionScreen, "_show_session")
        for mail in (Began("2026-01-01-abcd"), Notice("This came behind it."), Rested("", "and so did this")):
            screen.app.mailbox.put(mail)
        await screen.until(lambda: broken)
        await screen.shows("This came behind it.", "and so did this", "was made anew")

    drive(project, play, survives=True)
