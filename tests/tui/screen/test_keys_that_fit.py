"""The foot of the screen: as many keys as there is room for, each whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.screen.screen_driver import Driven, drive


@pytest.mark.parametrize(
    ("width", "foot"),
    [
        (140, " ⏎ Send  esc Panes  f2 Pane  f3 Sessions  ^q Quit  f1 Help"),
        (50, " ⏎ Send  esc Panes  f2 Pane  ^q Quit  f1 Help"),
        (40, " ⏎ Send  esc Panes  ^q Quit  f1 Help"),
        (18, " ^q Quit  f1 Help"),
    ],
)
def test_the_way_to_the_help_and_out_is_always_shown(solved_here: Path, width: int, foot: str) -> None:
    async def play(screen: Driven) -> None:
        await screen.until(lambda: screen.text.splitlines()[-1] == foot)

    drive(solved_here, play, (width, 24))


def test_there_are_more_of_them_with_more_room(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        await screen.until(lambda: screen.text.endswith(" ⏎ Send  esc Panes  ^q Quit  f1 Help"))
        await screen.pilot.resize_terminal(60, 24)
        await screen.until(lambda: screen.text.endswith("f2 Pane  f3 Sessions  ^q Quit  f1 Help"))

    drive(solved_here, play, (40, 24))
