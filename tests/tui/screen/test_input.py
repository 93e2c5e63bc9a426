"""The input: what was sent before, and how it comes back."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events
from textual.keys import key_to_character

from tests.tui.screen.screen_driver import Driven, drive
from treadle.core.config.screen_settings import ScreenSettings
from treadle.tui.actions import ACTIONS, PAGES
from treadle.tui.control.mailbox import Rested
from treadle.tui.pages.page import Page


def test_what_was_sent_on_other_days_does_not_move_where_one_is(project: Path) -> None:
    async def play(screen: Driven) -> None:
        prompt = screen.app.session_screen.prompt
        prompt.remember(("a", "b", "c"))
        await screen.press("up", "up")
        assert prompt.text == "b"
        prompt.remember(("z", "a", "b", "z"))
        assert prompt.said == ("z", "a", "b", "c")
        await screen.press("up")
        assert prompt.text == "a"
        await screen.press("up")
        assert prompt.text == "z"
        await screen.press("down", "down", "down")
        assert prompt.text == "c"

    drive(project, play)


def test_keys_that_act_anywhere_act_from_the_input_and_leave_what_is_written(solved_here: Path) -> None:
    anywhere = {action.name: action.key for action in ACTIONS if action.key and key_to_character(action.key) is None}
    anywhere |= {"theme": "", "pane": "ctrl+k"}

    async def play(screen: Driven) -> None:
        shown = screen.app.session_screen
        shown.open_session("last")
        await screen.press("o", "n", "e", "shift+enter", "t", "w", "o")
        for name, key in anywhere.items():
            active = shown.active_bindings.get(key)
            if name not in ("stop", "theme", "quit", "help"):  # escape is the input's while nothing is at work
                assert active is not None
                assert active.binding.id == f"session-{name}", key
        for name in PAGES:
            await screen.press(anywhere[name])
            await screen.until(lambda: isinstance(screen.app.screen, Page))
            await screen.press("escape")
            await screen.until(lambda: screen.app.screen is shown)
            shown.prompt.focus()
            await screen.press("backspace", "o")
            assert shown.prompt.text == "one\ntwo", name
        await screen.press(anywhere["pane"])
        assert screen.app.focused is shown.pane("code")
        assert shown.prompt.text == "one\ntwo"

    drive(solved_here, play, preferences=ScreenSettings(keys={"session-pane": "ctrl+k"}))


def test_keys_that_come_in_a_burst_act_in_their_order(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        shown, app = screen.app.session_screen, screen.app

        async def burst(*keys: str) -> None:
            for key in keys:
                app.post_message(events.Key(key, key if len(key) == 1 else None))
            await screen.pilot.pause()

        shown.open_session("last")
        await screen.shows("Fixed: stats.py")
        await burst("o", "l", "d", "tab", "ctrl+a", "ctrl+k", "n", "a", "n")
        await screen.until(lambda: shown.prompt.text == "nan")
        await burst("ctrl+a", "ctrl+k", "escape", "d", "i", "x", "left", "w")
        await screen.until(lambda: shown.prompt.text == "wx")
        assert shown.view is not None
        assert shown.view.change.mode == "side by side", "and d was for the pane"
        app.post_message(events.Paste("m"))
        await burst("end", "y", "f3", "slash", "s", "t", "escape", "escape", "z")
        await screen.until(lambda: shown.prompt.text == "wmxyz")

    drive(solved_here, play)


def test_words_are_wanted_where_none_are_given(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        screen.app.session_screen.open_session("last")
        await screen.shows("Fixed: stats.py")
        await screen.send("/reject")
        await screen.shows("✗ /reject WORDS: say why the last attempt will not do", "│ /reject")
        screen.app.session_screen.prompt.text = ""
        await screen.press("escape", "n")
        assert screen.app.session_screen.prompt.text == "/reject ", "the key brings one to where they are written"

    drive(solved_here, play)


def test_what_could_not_begin_is_given_back(project: Path, home: Path) -> None:
    async def play(screen: Driven) -> None:
        prompt = screen.app.session_screen.prompt
        await screen.send("/fix /etc")
        await screen.shows("✗ ", "│ /fix /etc")
        await screen.until(lambda: not screen.app.control.at_work)
        prompt.text = ""
        screen.app.control.reload()
        (home / "config.toml").write_text("nothing = [")
        screen.app.control._stale = True
        await screen.send("mend the spread in stats.py")
        await screen.shows("config.toml", "│ mend the spread in stats.py")

    drive(project, play)


def test_the_help_on_the_input_says_how_what_was_sent_comes_back(project: Path) -> None:
    async def play(screen: Driven) -> None:
        await screen.press("f1")
        await screen.shows("Up in the first line brings what you sent before")

    drive(project, play)


def test_what_is_said_where_there_is_nothing_is_whole_on_a_small_screen(project: Path) -> None:
    async def play(screen: Driven) -> None:
        await screen.until(lambda: "What should change? Or" in screen.text)
        told = " ".join(screen.text.split())
        assert "What should change? Or send /fix to repair failing tests; /help says more." in told

    drive(project, play, (40, 12))


def test_the_cursor_stands_at_the_first_line_once_the_input_is_left(solved_here: Path) -> None:
    """As docs/tutorial/first-session.md has it: one goes down to the line of the tests."""

    async def play(screen: Driven) -> None:
        shown = screen.app.session_screen
        shown.open_session("last")
        await screen.shows("Fixed: stats.py")
        await screen.press("escape")
        activity = shown.pane("activity")
        assert activity.cursor == 0
        while activity.line is not None and activity.line.title != "Tests as they are":
            before = activity.cursor
            await screen.press("down")
            assert activity.cursor > before

    drive(solved_here, play)


def test_what_is_pasted_in_a_pane_and_what_is_sent_is_heard_and_ctrl_c_says_what_leaves(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(screen: Driven) -> None:
        shown = screen.app.session_screen
        monkeypatch.setattr(shown.control, "start", lambda make: None)
        await screen.press("escape")
        screen.app.post_message(events.Paste("mend the spread"))
        await screen.until(lambda: shown.prompt.text == "mend the spread")
        await screen.press("ctrl+c")
        await screen.shows("· ctrl+c copies what is marked; ctrl+q leaves.")
        assert "Do you want to quit" not in screen.text
        await screen.press("enter")
        await screen.shows("· It begins…")
        screen.app.mailbox.put(Rested("", "no room for it"))
        await screen.shows("no room for it")
        assert "It begins" not in screen.text
        assert shown.prompt.text == "mend the spread"

    drive(project, play, (80, 24))
