"""How a person who looks elsewhere is called, and what can't get into that."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events

from tests.tui.screen.screen_driver import Driven, drive
from tests.tui.test_safe_text import CASES, text_of
from treadle.core.config.screen_settings import Notify, ScreenSettings
from treadle.tui.screen import app as app_module
from treadle.tui.screen.app import notification


def called(
    project: Path, notify: Notify, *, looks: bool, tells: bool = False, why: str = "it is done"
) -> tuple[list[str], int]:
    """What went to the terminal besides what is drawn, and how often the bell rang. `tells`: the terminal has said
    before whether somebody looks."""
    written: list[str] = []
    rung: list[None] = []

    async def play(screen: Driven) -> None:
        app = screen.app
        await screen.shows("What should change?")
        driver = app._driver
        assert driver is not None
        # The headless driver takes what is written and shows none of it.
        driver.write = written.append  # type: ignore[method-assign]
        app.bell = lambda: rung.append(None)  # type: ignore[method-assign]
        if tells:
            app.post_message(events.AppFocus())
            await screen.pilot.pause()
        app.app_focus = looks
        app.call_the_person(why)

    drive(project, play, preferences=ScreenSettings(notify=notify))
    return written, len(rung)


def test_the_bell_rings_for_who_looks_elsewhere(project: Path) -> None:
    assert called(project, "bell", looks=False) == ([], 1)


def test_the_terminal_is_told_where_the_person_wants_that(project: Path) -> None:
    assert called(project, "desktop", looks=False) == (["\x1b]9;treadle: it is done\x07"], 0)


@pytest.mark.parametrize("notify", ["bell", "desktop"])
def test_nobody_is_called_who_looks(project: Path, notify: Notify) -> None:
    assert called(project, notify, looks=True) == ([], 0)


def test_who_has_done_nothing_for_a_while_is_called_where_the_terminal_tells_nothing(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app_module, "UNTOUCHED_S", 0.0)
    assert called(project, "bell", looks=True) == ([], 1)


def test_a_terminal_that_tells_is_believed(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_module, "UNTOUCHED_S", 0.0)
    assert called(project, "bell", looks=True, tells=True) == ([], 0)


def test_a_key_says_that_somebody_is_there(project: Path) -> None:
    async def play(screen: Driven) -> None:
        screen.app._touched_at = 0.0
        await screen.press("x")
        assert not screen.app._looks_elsewhere()

    drive(project, play)


def test_nobody_is_called_who_does_not_want_it(project: Path) -> None:
    assert called(project, "never", looks=False) == ([], 0)


def test_a_session_that_comes_to_rest_calls(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    why: list[str] = []

    async def play(screen: Driven) -> None:
        monkeypatch.setattr(screen.app, "bell", lambda: why.append("rung"))
        await screen.send("/fix")
        await screen.shows("Tests as they are")
        screen.app.app_focus = False
        await screen.until(lambda: why)
        await screen.shows("Fixed: stats.py")

    drive(project, play)
    assert why == ["rung"], "once"


def is_one_notification(text: str) -> bool:
    return re.fullmatch(r"\x1b\]9;treadle:[^\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]*\x07", text) is not None


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_nothing_gets_out_of_the_notification(case: dict) -> None:
    assert is_one_notification(notification(text_of(case)))


@given(st.text(st.characters(codec=None)))
def test_no_text_gets_out_of_the_notification(text: str) -> None:
    assert is_one_notification(notification(text))
    assert not any("\ud800" <= char <= "\udfff" for char in notification(text))
