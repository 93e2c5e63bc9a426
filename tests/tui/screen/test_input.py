"""The input: what was sent before, and how it comes back."""

from __future__ import annotations

from pathlib import Path

from tests.tui.screen.screen_driver import Driven, drive


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
