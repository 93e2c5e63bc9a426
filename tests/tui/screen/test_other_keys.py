"""The setting `screen.keys`: other keys for what the screen does, and what is wrong with some."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.screen.screen_driver import Driven, drive
from treadle.core.config.screen_settings import ScreenSettings
from treadle.tui.screen.key_names import keys, wrong


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ({"session-accpt": "y"}, "is no key's name; did you mean 'session-accept'?"),
        ({"session-accept": "ctrl+nonsense"}, "'ctrl+nonsense', which is no key"),
        ({"session-accept": ""}, "'', which is no key"),
        ({"session-accept": "ctl+y"}, "'ctl+y', which is no key"),
        ({"input-send": "a"}, "'a', which is text in the input"),
        ({"session-quit": "y"}, "session-quit 'y', which is text wherever one writes"),
        ({"session-accept": "u"}, "session-accept 'u', which session-undo has as well"),
        ({"session-accept": "y", "session-undo": "x,y"}, "'y', which session-undo has as well"),
        ({"input-send": "f2"}, "input-send 'f2', which session-pane has as well"),
        ({"sessions-star": "j"}, "sessions-star 'j', which pane-down has as well"),
        ({"sessions-star": "f1"}, "sessions-star 'f1', which session-help has as well"),
    ],
)
def test_what_is_wrong_with_a_key_is_told_once(chosen: dict[str, str], told: str) -> None:
    assert [text for text in wrong(chosen) if told in text] == wrong(chosen) != []


@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {"session-accept": "ctrl+y"},
        {"session-accept": "?,f20"},
        {"session-accept": "u", "session-undo": "a"},
        {"input-send": "ctrl+s", "hunks-try": "ctrl+t"},
        {"memory-edit": "y", "session-accept": "y"},
    ],
)
def test_keys_that_do_not_meet_are_nobodys_trouble(chosen: dict[str, str]) -> None:
    named = {each.id for _, each in keys()}
    assert set(chosen) <= named, "the names of this test are those of the screen"
    assert wrong(chosen) == []


def test_a_clash_is_told_when_the_screen_opens(project: Path) -> None:
    async def play(screen: Driven) -> None:
        await screen.shows("session-accept 'u', which session-undo has as well")

    drive(project, play, preferences=ScreenSettings(keys={"session-accept": "u"}))


def test_enter_begins_a_line_where_another_key_sends(project: Path) -> None:
    async def play(screen: Driven) -> None:
        await screen.press("slash", "h", "enter", "x")
        assert screen.app.session_screen.prompt.text == "/h\nx"
        await screen.press("ctrl+s")
        await screen.shows("there is no command /h")
        assert screen.app.session_screen.prompt.said == ("/h\nx",)

    drive(project, play, preferences=ScreenSettings(keys={"input-send": "ctrl+s"}))
