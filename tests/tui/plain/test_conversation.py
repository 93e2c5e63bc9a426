"""`treadle --plain`: the work of the screen line by line, in a terminal that keeps each line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands.conftest import Treadle
from tests.tui.terminal import Terminal, needs_tmux
from treadle.tui.actions import ACTIONS
from treadle.tui.plain.conversation import Conversation


@needs_tmux
def test_tests_are_repaired_accepted_and_taken_back_line_by_line(
    treadle: Treadle,
    terminals: list[Terminal],
    tmp_path: Path,
) -> None:
    terminal = Terminal(tmp_path / "s", treadle, (100, 60), "--plain")
    terminals.append(terminal)
    terminal.shows("A task in your words, or /fix, /help, /quit.", "treadle>")
    terminal.keys("/fix", "Enter")
    terminal.shows("Apply this patch? [y/N]")
    terminal.keys("n", "Enter")
    terminal.keys("/accept", "Enter")
    terminal.shows("Applied")
    terminal.keys("/undo", "Enter")
    terminal.shows("taken back")
    terminal.keys("/edit", "Enter")
    terminal.shows("/edit needs the full screen")
    terminal.keys("/fixx", "Enter")
    terminal.shows("there is no command /fixx")
    terminal.keys("/quit", "Enter")
    terminal.shows("left with 0")
    assert "\x1b[2K" not in terminal.escapes


def heard(*texts: str) -> list[list[str]]:
    commands: list[list[str]] = []
    conversation = Conversation(lambda words: commands.append(words) or 0)
    for text in texts:
        assert conversation.hear(text)
    return commands


def test_what_is_written_goes_on_from_what_was_said() -> None:
    said = heard("add a discount", "and a test", "/new", "something else")
    assert said == [
        ["run", "--", "add a discount"],
        ["run", "--continue", "last", "--", "and a test"],
        ["run", "--", "something else"],
    ]


def test_a_task_that_begins_with_a_dash_is_no_option() -> None:
    assert heard("- mend the parser", "/fix -x") == [["run", "--", "- mend the parser"], ["fix", "--", "-x"]]


def test_choices_hold_for_what_comes_after() -> None:
    said = heard("/model coder=ollama/a", "/budget $2", "do it", "/reject not so", "/retry 2 otherwise")
    models = ["--model", "coder=ollama/a"]
    assert said == [
        ["run", *models, "--budget", "2", "--", "do it"],
        ["resume", "last", "--reject", "not so", *models],
        ["resume", "last", "--from", "2", "--reject", "otherwise", *models],
    ]


@pytest.mark.parametrize("word", [action.name for action in ACTIONS if action.name != "quit"])
def test_every_action_is_done_or_said_to_need_the_screen(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    takes = next(action.takes for action in ACTIONS if action.name == word)
    commands = heard(f"/{word} {'1' if takes else ''}".strip())
    out = capsys.readouterr()
    assert commands or out.out or f"/{word} needs the full screen" in out.err


def test_quit_leaves() -> None:
    assert not Conversation(lambda words: 0).hear("/quit")
