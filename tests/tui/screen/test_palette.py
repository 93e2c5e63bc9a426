"""The command palette: what is called like the words comes before what is only described with them."""

from __future__ import annotations

from pathlib import Path

from textual.command import CommandList

from tests.tui.screen.screen_driver import Driven, drive


async def asked_for(screen: Driven, words: str) -> None:
    await screen.press("ctrl+p")
    await screen.until(lambda: _offered(screen))
    all_of_them = len(_offered(screen))
    await screen.press(*("space" if char == " " else char for char in words))
    await screen.until(lambda: 0 < len(_offered(screen)) < all_of_them)
    await screen.press("enter")


def _offered(screen: Driven) -> list[str]:
    return [str(option.prompt) for each in screen.app.screen.query(CommandList) for option in each.options]


def test_the_first_hit_is_what_is_called_like_it(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        shown = screen.app.session_screen
        shown.open_session("last")
        await screen.shows("Fixed: stats.py")
        await screen.press("escape")
        for words, told in (
            ("copy", "Copied: "),
            ("Copy", "Copied: "),
            ("/copy", "Copied: "),
            ("settings", "treadle · project · settings"),
            ("editor", "there is no terminal here in which an editor could open"),
            ("apply patch", "✓ Applied"),
            ("diff", "· side by side"),
        ):
            await asked_for(screen, words)
            await screen.shows(told)
            if screen.app.screen is not shown:
                await screen.press("escape")
                await screen.until(lambda: screen.app.screen is shown)
            shown.told.forget()

    drive(solved_here, play, (120, 40))


def test_stop_is_not_the_way_out(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        await screen.press("ctrl+p")
        await screen.until(lambda: _offered(screen))
        await screen.press(*"stop")
        await screen.shows("No matches found")

    drive(solved_here, play)


def test_on_a_page_it_holds_what_the_page_can_do_now(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        await screen.press("f3")
        await screen.shows("make the tests pass")
        await screen.press("ctrl+p")
        await screen.shows("Star", "Delete", "Metrics", "Quit")
        assert "Undo the deletion" not in screen.text, "nothing is deleted"
        await screen.press(*"star", "enter")
        await screen.shows("★ make the tests pass")
        await asked_for(screen, "metrics")
        await screen.shows("Success rate")

    drive(solved_here, play, (100, 48))
