"""The screen in a real terminal, as tmux shows it."""

from __future__ import annotations

from pathlib import Path

from tests.commands.conftest import Treadle
from tests.tui.terminal import Terminal, needs_tmux

pytestmark = needs_tmux


def test_it_opens_repairs_resizes_and_leaves_the_terminal_as_it_was(
    treadle: Treadle, terminals: list[Terminal], tmp_path: Path
) -> None:
    terminal = Terminal(tmp_path / "s", treadle, (80, 24))
    terminals.append(terminal)
    terminal.shows("What should change?", "f1 Help")
    terminal.keys("/fix", "Enter")
    terminal.shows("Fixed: stats.py", "/accept applies this change")
    terminal.resize(160, 48)
    terminal.shows("+1 -1", "Fixed: stats.py")
    terminal.keys("C-q")
    terminal.shows("left with 0")
    assert "What should change?" not in terminal.text, "the screen that was before is back"


def test_without_colours_it_has_none(treadle: Treadle, terminals: list[Terminal], tmp_path: Path) -> None:
    terminal = Terminal(tmp_path / "s", treadle, (80, 24), NO_COLOR="1")
    terminals.append(terminal)
    terminal.shows("What should change?")
    colours = {code for part in terminal.escapes.split("\x1b[38;2;")[1:] if (code := part.split("m")[0])}
    assert all(len(set(code.split(";")[:3])) == 1 for code in colours), colours


def test_without_a_terminal_there_is_the_help(treadle: Treadle) -> None:
    ran = treadle()
    assert ran.code == 0
    assert "Usage: " in ran.out
    assert "opens the full screen" in ran.out
