"""What is told when the screen opens."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.tui.screen.screen_driver import Driven, drive
from treadle.tui.exit_codes import ExitCode


def test_settings_that_can_not_be_read_are_told_before_anything_is_asked_for(project: Path) -> None:
    home = Path(os.environ["TREADLE_HOME"])
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.toml").write_text('[screen.keys\nsession-accept = "y"\n')

    async def play(screen: Driven) -> None:
        await screen.shows("not valid TOML")
        assert screen.app.session_screen.prompt.has_focus

    drive(project, play)


GONE = """
import threading
from types import SimpleNamespace
from treadle.tui.screen import opening
opening._RESTORE_S = 0.1
blocks = threading.Event().wait
opening._leave_at_once(SimpleNamespace(_driver=SimpleNamespace(stop_application_mode=blocks)))
"""


def test_it_ends_also_where_nobody_takes_what_is_written_to_the_terminal_any_more() -> None:
    """As where the terminal has been closed with more waiting to be written than its driver holds."""
    ran = subprocess.run([sys.executable, "-c", GONE], timeout=60, check=False)
    assert ran.returncode == ExitCode.INTERRUPTED
