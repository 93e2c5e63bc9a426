"""One page on the screen of a real project, and lines as they are drawn."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from tests.tui.screen.screen_driver import Driven, drive
from treadle.tui.pages.page import Page
from treadle.tui.story.line import Line
from treadle.tui.story.opening import Openings
from treadle.tui.widgets.layout import UNICODE, Glyphs, rows_of

SIZES = [(80, 24), (160, 48)]


def on_page(
    project: Path,
    page: type[Page],
    play: Callable[[Driven], Awaitable[None]],
    size: tuple[int, int] = (80, 24),
    glyphs: Glyphs = UNICODE,
) -> None:
    """Play it on that page."""

    async def open_and_play(screen: Driven) -> None:
        await screen.shows("What should change?")
        screen.app.push_screen(page(screen.app.control, glyphs))
        await screen.shows(page.NAME)
        await screen.until(lambda: "Reading…" not in screen.text)
        await play(screen)

    drive(project, open_and_play, size)


def drawn(lines: list[Line], width: int = 76, *, opened: bool = False, glyphs: Glyphs = UNICODE) -> list[str]:
    """The lines as they are drawn at first, or with all that can be opened."""
    first = Openings().is_open
    return [row.text for row in rows_of(lines, width, (lambda _: True) if opened else first, glyphs)]
