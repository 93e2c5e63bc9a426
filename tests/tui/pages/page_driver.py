"""A page on the screen of a real project, without a terminal."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from rich.cells import cell_len

from tests.tui.screen.screen_driver import Driven, drive, narrow_and_wide
from treadle.tui.pages.page import Elsewhere, Page
from treadle.tui.story.line import Line
from treadle.tui.story.opening import Openings
from treadle.tui.widgets.layout import UNICODE, Glyphs, rows_of

__all__ = ["drawn", "drive_page", "fits", "narrow_and_wide"]


def drive_page(
    project: Path,
    page: type[Page],
    play: Callable[[Driven], Awaitable[None]],
    size: tuple[int, int] = (80, 24),
    *,
    survives: bool = False,
) -> list[str | Elsewhere | None]:
    """Play it on that page; what the page answered with."""
    answers: list[str | Elsewhere | None] = []

    async def on_the_page(screen: Driven) -> None:
        screen.app.push_screen(page(screen.app.control, UNICODE), answers.append)
        await screen.until(lambda: isinstance(screen.app.screen, page))
        await play(screen)

    drive(project, on_the_page, size, survives=survives)
    return answers


def fits(screen: Driven) -> bool:
    """Whether no line goes over the edge of the screen."""
    return all(cell_len(line) <= screen.app.size.width for line in screen.text.splitlines())


def drawn(lines: list[Line], width: int = 76, *, opened: bool = False, glyphs: Glyphs = UNICODE) -> list[str]:
    """The lines as they are drawn at first, or with all that can be opened."""
    first = Openings().is_open
    return [row.text for row in rows_of(lines, width, (lambda _: True) if opened else first, glyphs)]
