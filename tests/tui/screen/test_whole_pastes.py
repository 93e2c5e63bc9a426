"""What is pasted is text alone, in whatever pieces it comes."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events

from tests.commands.conftest import Treadle
from tests.tui.terminal import Terminal, needs_tmux
from treadle.tui.screen.whole_pastes import WholePastes

HOSTILE = "one \x1b[31mred, and more than a sequence is long\r/quit\r\x1b\x1b[A two\x1b"


@pytest.mark.parametrize("size", [1, 2, 5, 7, 4096])
def test_an_escape_character_within_a_paste_makes_no_key(size: int) -> None:
    parser = WholePastes()
    typed = f"a\x1b[200~{HOSTILE}\x1b[201~b\x1b[A\x1b[200~more\x1b[201~"
    told = [m for at in range(0, len(typed), size) for m in parser.feed(typed[at : at + size])]
    keys = [m.key for m in told if isinstance(m, events.Key)]
    assert keys == ["a", "b", "up"]
    pasted = [m.text for m in told if isinstance(m, events.Paste)]
    assert pasted == [HOSTILE.replace("\x1b", ""), "more"]


@needs_tmux
def test_a_paste_with_escape_characters_sends_nothing(
    treadle: Treadle, terminals: list[Terminal], tmp_path: Path
) -> None:
    terminal = Terminal(tmp_path / "s", treadle, (80, 24))
    terminals.append(terminal)
    terminal.shows("What should change?", "f1 Help")
    terminal.paste("one \x1b[31m red\n/sessions\nthree")
    terminal.shows("│ one [31m red", "│ /sessions", "│ three")
