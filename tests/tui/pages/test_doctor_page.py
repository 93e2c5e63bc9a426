"""The page of the doctor: what holds on this machine, and what to do where something does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.pages.page_driver import drawn, drive_page, narrow_and_wide
from tests.tui.screen.screen_driver import Driven
from tests.tui.test_safe_text import CASES, text_of
from treadle.tui.diagnosis import Finding
from treadle.tui.pages.doctor import DoctorPage, lines_of
from treadle.tui.safe_text import clean_line

SANDBOX = Finding(name="sandbox", on=True, needed=True, why="a command was run in it")
LANDLOCK = Finding(name="landlock", on=True, why="files outside are refused", is_layer=True)
NETNS = Finding(
    name="netns",
    on=False,
    why="not permitted",
    meaning="jobs see the network",
    how="allow user namespaces",
    is_layer=True,
)
STATE = Finding(
    name="state", on=False, needed=True, why="no space left", meaning="nothing can be kept", how="make room"
)


def test_what_is_off_comes_first_and_says_what_to_do() -> None:
    rows = drawn(lines_of([SANDBOX, LANDLOCK, NETNS]))
    assert rows[0] == "  ✓ Treadle can work here  1 of 2 layers hold"
    assert rows[1:5] == [
        "▾ ? netns     off",
        "    · Why  not permitted",
        "    · What it means  jobs see the network",
        "    · What to do  allow user namespaces",
    ]
    assert rows[5] == "  ✓ sandbox   on · a command was run in it"
    assert "Python" in rows[7]


def test_it_names_what_nothing_can_be_done_without() -> None:
    rows = drawn(lines_of([SANDBOX, LANDLOCK, STATE]))
    assert rows[0].startswith("  ✗ Treadle can't work here without state")
    assert "▾ ✗ state     off" in rows


def test_where_no_layer_is_on_each_is_not_told_again() -> None:
    text = "\n".join(drawn(lines_of([Finding(name="sandbox", on=False, needed=True, why="no fork"), NETNS])))
    assert "0 of 1 layers" in text
    assert "netns" not in text


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_hostile_words_of_the_system_are_words(case: dict) -> None:
    text = text_of(case)
    rows = drawn(lines_of([Finding(name="state", on=False, needed=True, why=text, how="mend it")]), width=4000)
    told = clean_line(text)
    assert (f"    · Why  {told}" in rows) == bool(told)


@narrow_and_wide
def test_what_holds_is_read_here_and_a_mended_setting_read_again(project: Path, size: tuple[int, int]) -> None:
    settings = project / ".treadle" / "config.toml"
    settings.parent.mkdir()
    settings.write_text("loop = 3\n")

    async def play(screen: Driven) -> None:
        await screen.shows("Treadle can't work here without state", "✗ state ", "loop must be a table of")
        settings.unlink()
        await screen.press("ctrl+r")
        await screen.shows("✓ Treadle can work here", "✓ sandbox ", "✓ rlimits ")
        await screen.press("end")
        await screen.shows("✓ state ")
        await screen.press("escape")
        await screen.until(lambda: not isinstance(screen.app.screen, DoctorPage))

    drive_page(project, DoctorPage, play, size)
