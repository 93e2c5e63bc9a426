"""The frame of the pages: what it says where nothing can be read, and what holds once a person has left."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.tui.pages.page_driver import drive_page
from tests.tui.screen.screen_driver import Driven
from treadle.core.errors import UsageError
from treadle.core.project import Project
from treadle.tui.control.control import Control
from treadle.tui.pages.page import Found, Page
from treadle.tui.pages.settings import SettingsPage
from treadle.tui.story.line import Line
from treadle.tui.widgets.layout import Glyphs


def test_what_can_not_be_read_is_told_and_read_again_when_it_is_mended(project: Path) -> None:
    settings = project / ".treadle" / "config.toml"
    settings.parent.mkdir()
    settings.write_text("loop = 3\n")

    async def play(screen: Driven) -> None:
        await screen.shows("It could not be read; ctrl+r tries again", "loop must be a table of settings")
        settings.unlink()
        await screen.press("ctrl+r")
        await screen.shows("approval", '"review" · default')
        await screen.until(lambda: "loop must be a table" not in screen.text)

    drive_page(project, SettingsPage, play)


class Slow(Page):
    """One whose work ends when the person has left."""

    NAME = "slow"

    def __init__(self, control: Control, glyphs: Glyphs) -> None:
        super().__init__(control, glyphs)
        self.goes_on = threading.Event()

    def read(self, project: Project, words: str) -> Found:
        return Found([Line("a", "stage", "a line", result="its result")])

    def work_on(self, project: Project) -> str:
        assert self.goes_on.wait(30)
        self.in_app(self.tell, "It is noted.")
        return "It is done."

    def fail(self, project: Project) -> str:
        assert self.goes_on.wait(30)
        raise UsageError("it can't be done")

    def break_off(self, project: Project) -> str:
        assert self.goes_on.wait(30)
        raise ZeroDivisionError("it broke")


@pytest.mark.parametrize(
    ("what", "told"),
    [
        (Slow.work_on, ("· It is noted.", "· It is done.")),
        (Slow.fail, ("✗ it can't be done",)),
        (Slow.break_off, ("✗ That failed (ZeroDivisionError: it broke)",)),
    ],
)
def test_what_comes_of_an_action_is_told_also_once_the_person_has_left(
    project: Path, what: Callable[[Slow, Project], str], told: tuple[str, ...]
) -> None:
    async def play(screen: Driven) -> None:
        await screen.shows("a line  its result")
        assert screen.text.splitlines()[0].strip() == "treadle · project · slow", "nothing is timed here"
        page = screen.app.screen
        assert isinstance(page, Slow)
        page.do(partial(what, page))
        await screen.press("escape")
        await screen.shows("What should change?")
        await screen.until(lambda: not page.is_attached)
        page.goes_on.set()
        await screen.shows(*told)

    drive_page(project, Slow, play, survives=True)


class Stale(Page):
    """One that is read again while it still reads: what it is told first comes last."""

    NAME = "stale"
    first_goes_on = threading.Event()
    first_is_read = threading.Event()

    def read(self, project: Project, words: str) -> Found:
        if words == "f":
            self.first_goes_on.wait(30)
            self.first_is_read.set()
        if words == "x":
            self.first_goes_on.wait(30)
            self.first_is_read.set()
            raise UsageError("of words that nobody looks for any more")
        return Found([Line(f"key of {words}", "stage", f"a line of {words!r}")], {f"key of {words}": words})


@pytest.mark.parametrize("first", ["f", "x"])
def test_what_is_read_too_late_is_neither_shown_nor_known_nor_told(project: Path, first: str) -> None:
    Stale.first_goes_on.clear()
    Stale.first_is_read.clear()

    async def play(screen: Driven) -> None:
        await screen.shows("a line of ''")
        page = screen.app.screen
        assert isinstance(page, Stale)
        await screen.press("slash", first, "backspace", "b")
        await screen.shows("a line of 'b'")
        Stale.first_goes_on.set()
        await screen.until(Stale.first_is_read.is_set)
        await screen.until(lambda: not screen.app.workers._workers)
        await screen.pilot.pause()
        assert "a line of 'b'" in screen.text
        assert "nobody looks for" not in screen.text
        assert page.about == {page.lines[0].key: "b"}

    drive_page(project, Stale, play)
