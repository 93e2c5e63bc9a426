"""How a person who looks elsewhere is called, and what can't get into that."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tui.screen.screen_driver import Driven, drive
from tests.tui.test_safe_text import CASES, text_of
from treadle.core.config.screen_settings import Notify, ScreenSettings
from treadle.tui.screen.app import notification


def called(project: Path, notify: Notify, *, looks: bool, why: str = "it is done") -> tuple[list[str], int]:
    """What went to the terminal besides what is drawn, and how often the bell rang."""
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
