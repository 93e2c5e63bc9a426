"""What is told when the screen opens."""

from __future__ import annotations

import os
from pathlib import Path

from tests.tui.screen.screen_driver import Driven, drive


def test_settings_that_can_not_be_read_are_told_before_anything_is_asked_for(project: Path) -> None:
    home = Path(os.environ["TREADLE_HOME"])
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.toml").write_text('[screen.keys\nsession-accept = "y"\n')

    async def play(screen: Driven) -> None:
        await screen.shows("not valid TOML")
        assert screen.app.session_screen.prompt.has_focus

    drive(project, play)
