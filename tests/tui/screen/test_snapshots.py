"""Pictures of the screen, as it draws them itself, beside those that somebody has looked at.

They depend on the version of Textual, which is in their names, and on nothing else: not on the machine, the time, the
place of the project, or how busy it is.
"""

from __future__ import annotations

import os
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
import textual

from tests.core.test_hunks import Files
from tests.tui.screen.screen_driver import Driven, drive
from treadle.core.approval import run_question
from treadle.core.config.screen_settings import ScreenSettings, ThemeName
from treadle.core.excerpts import Excerpts
from treadle.core.records import Candidate, Concern, FileChange
from treadle.tui.screen.app import TreadleApp
from treadle.tui.screen.edit_screen import EditScreen
from treadle.tui.screen.help_screen import HelpScreen
from treadle.tui.story.line import Line
from treadle.tui.widgets.question_dialog import QuestionDialog

PICTURES = Path(__file__).parent / "snapshots"
PINNED = "8.2.8"
REWRITE = "REWRITE_SNAPSHOTS"
SIZES = ((80, 24), (100, 30), (160, 48))
NAME = re.compile(r"terminal-\d+")

pytestmark = pytest.mark.skipif(
    textual.__version__ != PINNED, reason=f"the pictures are of Textual {PINNED}, and {textual.__version__} is here"
)


def still(app: TreadleApp) -> None:
    """Take out of it all that is otherwise each time."""
    shown = app.session_screen
    app.animation_level = "none"
    shown.prompt.cursor_blink = False
    story = shown.story
    assert story is not None
    story.worked_s = 2.5
    story.layers = ("user namespace", "seccomp", "landlock")
    waiting: list[Line] = [story.root]
    while waiting:
        line = waiting.pop()
        line.seconds = None if line.seconds is None else 1.5
        waiting += line.children
    facts = replace(shown.header.facts, project="project", branch="main", limit_usd=5.0, alerts=())
    shown.header.tell(replace(facts, machine="cpu 7 % · mem 21 % · disk 35 %"))
    shown.draw()


def picture(screen: Driven) -> str:
    """The screen as an SVG file, without what is only a name in it, and without where fonts are to be had."""
    drawn = NAME.sub("terminal", screen.app.export_screenshot(title="treadle"))
    return re.sub(r"@font-face \{.*?\}\s*", "", drawn, flags=re.DOTALL)


def compare(name: str, drawn: str) -> None:
    place = PICTURES / f"{name}-textual-{PINNED}.svg"
    if os.environ.get(REWRITE):
        PICTURES.mkdir(exist_ok=True)
        place.write_text(drawn, encoding="utf-8")
    assert place.exists(), f"there is no picture {place.name}: {REWRITE}=1 draws it; look at it before it is kept"
    said = f"{place.name} is otherwise than it was. Where that is meant, {REWRITE}=1 draws it anew; look at it then"
    assert drawn == place.read_text(encoding="utf-8"), said


def taken(
    folder: Path, name: str, size: tuple[int, int], theme: ThemeName, then: Callable[[Driven], Awaitable[None]]
) -> None:
    """Compare the picture of the solved session, after what `then` does."""

    async def play(screen: Driven) -> None:
        app = screen.app
        app._tell_load = app._know = lambda *_: None  # type: ignore[method-assign,assignment]
        app.session_screen.open_session("last")
        await screen.shows("Fixed: stats.py")
        await then(screen)
        still(app)
        for _ in range(4):
            await screen.pilot.pause()
        compare(name, picture(screen))

    drive(folder, play, size, preferences=ScreenSettings(theme=theme, motion="reduced"))


async def nothing(screen: Driven) -> None:
    await screen.press("escape")


LOOKS: list[tuple[tuple[int, int], ThemeName]] = [
    *((size, "dark") for size in SIZES),
    (SIZES[1], "light"),
    (SIZES[1], "high-contrast"),
]


@pytest.mark.parametrize(("size", "theme"), LOOKS, ids=[f"{size[0]}x{size[1]}-{theme}" for size, theme in LOOKS])
def test_a_solved_session(solved_here: Path, size: tuple[int, int], theme: ThemeName) -> None:
    taken(solved_here, f"solved-{size[0]}x{size[1]}-{theme}", size, theme, nothing)


BUILDS = b"""\
import statistics
import subprocess


def mean(values):
    return statistics.mean(values)


def spread(values):
    subprocess.run(["make", "spread"], check=True)
    return max(values) - min(values)
"""
MADE = Candidate(files=(FileChange(path="stats.py", content=BUILDS),), why="the spread is built")


def test_a_question(solved_here: Path) -> None:
    async def ask(screen: Driven) -> None:
        found = Concern(rule="process", path="stats.py", line=10, message="it starts a process")
        screen.app.push_screen(QuestionDialog(run_question((found,), Excerpts(MADE, Files({})), may_last=True)))
        await screen.shows("4 deny")

    taken(solved_here, "question-100x30-dark", (100, 30), "dark", ask)


def test_help(solved_here: Path) -> None:
    async def ask(screen: Driven) -> None:
        await screen.press("escape", "f1")
        await screen.until(lambda: isinstance(screen.app.screen, HelpScreen))
        await screen.shows("Keys that lead somewhere now")

    taken(solved_here, "help-100x30-dark", (100, 30), "dark", ask)


def test_an_edit(solved_here: Path) -> None:
    async def edit(screen: Driven) -> None:
        await screen.press("escape", "e")
        await screen.until(lambda: isinstance(screen.app.screen, EditScreen))
        screen.app.screen.query_one("#text").cursor_blink = False  # type: ignore[attr-defined]
        await screen.shows("Your change is tried")

    taken(solved_here, "edit-100x30-dark", (100, 30), "dark", edit)
