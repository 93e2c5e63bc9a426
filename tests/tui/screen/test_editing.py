"""The candidate in the editor: only what a terminal can show as it is, and what the editor leaves as it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import TextArea

from tests.tui.screen.screen_driver import Driven, drive
from treadle.core.records import FileChange
from treadle.tui.screen.completion import completions
from treadle.tui.screen.edit_screen import EditScreen

PLAIN = FileChange(path="plain.py", content=b"kept = 1\r\nlast = 2\r\n")


@pytest.mark.parametrize("obeyed", ["\x1b]0;evil\x07", "\x9b31m", "\x0c", "\u202e", "\u2028", "\r"])
def test_what_a_terminal_would_obey_or_the_editor_would_change_is_not_edited(project: Path, obeyed: str) -> None:
    hostile = FileChange(path="hostile.py", content=f"text = 1{obeyed}2\n".encode())
    answers: list[tuple[FileChange, ...] | None] = []

    async def play(screen: Driven) -> None:
        screen.app.push_screen(EditScreen((hostile, PLAIN)), answers.append)
        await screen.shows("kept = 1")
        assert "text = 1" not in screen.text
        await screen.press("ctrl+s")
        await screen.shows("Nothing is otherwise than before")
        screen.app.screen.query_one(TextArea).text = "kept = 3\nlast = 2\n"
        await screen.press("ctrl+s")

    drive(project, play)
    assert answers == [(hostile, FileChange(path="plain.py", content=b"kept = 3\r\nlast = 2\r\n"))]


def test_an_empty_file_can_be_edited(project: Path) -> None:
    answers: list[tuple[FileChange, ...] | None] = []

    async def play(screen: Driven) -> None:
        screen.app.push_screen(EditScreen((FileChange(path="new.py", content=b""),)), answers.append)
        await screen.until(lambda: screen.app.screen.query(TextArea))
        await screen.press("x", "ctrl+s")

    drive(project, play)
    assert answers == [(FileChange(path="new.py", content=b"x"),)]


def test_a_name_that_a_terminal_would_obey_is_not_written_into_the_input() -> None:
    assert completions("mend @st", lambda: ["st\x1b[31m.py", "st\x9b.py", "stats.py"]) == [("@stats.py", "")]
