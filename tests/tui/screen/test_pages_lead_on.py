"""The keys of the pages on the pages themselves."""

from __future__ import annotations

from pathlib import Path

from tests.tui.screen.screen_driver import Driven, drive
from treadle.core.config.screen_settings import ScreenSettings


def test_pages_lead_to_each_other_and_the_last_one_back(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        await screen.press("f8")
        await screen.shows("Success rate")
        await screen.press("f8")
        await screen.press("f4")
        await screen.shows("treadle · project · plugins")
        await screen.press("f3")
        await screen.shows("make the tests pass")
        await screen.press("enter")
        await screen.shows("Fixed: stats.py")
        await screen.press("f7", "f10")
        await screen.shows("treadle · project · settings")
        screen.app.control.choose({"budget.usd": 1.25})  # as what is set on a page changes what the project is
        await screen.press("escape")
        await screen.until(lambda: screen.app.screen is screen.app.session_screen)
        await screen.until(lambda: screen.app.session_screen.header.budget == 1.25)

    drive(solved_here, play, (100, 30))


def test_where_a_page_leads_has_the_key_that_the_person_gave_it(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        await screen.press("ctrl+t")
        await screen.shows("Success rate")
        await screen.press("f3")
        await screen.shows("make the tests pass")
        await screen.press("ctrl+t")
        await screen.shows("Success rate")

    drive(solved_here, play, preferences=ScreenSettings(keys={"session-metrics": "ctrl+t"}))
