"""The activity stays at its end while the room that it has changes."""

from __future__ import annotations

from pathlib import Path

from tests.tui.screen.screen_driver import Driven, drive
from treadle.tui.story.line import Line
from treadle.tui.widgets.layout import rows_of


def test_what_is_told_below_it_does_not_keep_it_from_its_end(project: Path) -> None:
    async def play(screen: Driven) -> None:
        pane = screen.app.session_screen.pane("activity")

        async def show(count: int) -> None:
            pane.show(rows_of([Line(str(n), "event", f"number {n}") for n in range(count)], 60, lambda line: False))
            await screen.pilot.pause()

        await show(60)
        await screen.shows("number 59")
        screen.app.session_screen.tell("one\n")
        screen.app.session_screen.tell("two")
        await screen.shows("· two", "number 59")
        screen.app.session_screen.told.forget()
        pane.show(rows_of([Line(str(n), "event", f"number {n}") for n in range(61)], 60, lambda line: False))
        await screen.shows("number 60")
        pane.focus()
        await screen.press("home")
        await show(70)
        assert "number 69" not in screen.text, "who has gone elsewhere is left there"
        await screen.pilot.resize_terminal(80, 20)
        await screen.pilot.pause()
        assert "number 69" not in screen.text

    drive(project, play, (80, 24))
