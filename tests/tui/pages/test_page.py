"""The frame of the pages: what it says where nothing can be read, and what holds once a person has left."""

from __future__ import annotations

import threading
from pathlib import Path

from tests.tui.pages.page_driver import drive_page
from tests.tui.screen.screen_driver import Driven
from treadle.core.project import Project
from treadle.tui.pages.page import Page
from treadle.tui.pages.settings import SettingsPage
from treadle.tui.story.line import Line


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
    goes_on = threading.Event()
    is_done = threading.Event()

    def read(self, project: Project, words: str) -> list[Line]:
        return [Line("a", "stage", "a line", result="its result")]

    def work_on(self, project: Project) -> str:
        self.goes_on.wait(30)
        self.is_done.set()
        return "It is done."


def test_what_is_done_after_the_person_has_left_is_no_obstacle(project: Path) -> None:
    async def play(screen: Driven) -> None:
        await screen.shows("a line  its result")
        assert screen.text.splitlines()[0].strip() == "treadle · project · slow", "nothing is timed here"
        page = screen.app.screen
        assert isinstance(page, Slow)
        page.do(page.work_on)
        await screen.press("escape")
        await screen.shows("What should change?")
        Slow.goes_on.set()
        await screen.until(Slow.is_done.is_set)
        await screen.until(lambda: not screen.app.workers._workers)
        await screen.shows("What should change?")

    drive_page(project, Slow, play)
