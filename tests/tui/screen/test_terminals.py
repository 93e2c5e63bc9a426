"""The screen in real terminals: closed from outside, behind an editor, without Unicode."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.commands.conftest import Treadle
from tests.tui.terminal import PATIENCE_S, Terminal, needs_tmux

pytestmark = needs_tmux

WAITS = "import os, time\n\ndef test_waits():\n    while not os.path.exists({gate!r}):\n        time.sleep(0.02)\n"


def program(terminal: Terminal) -> psutil.Process:
    """The process of Treadle in that terminal."""
    (shell,) = terminal.pids
    return next(p for p in psutil.Process(shell).children(recursive=True) if "treadle" in p.cmdline())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=["SIGTERM", "SIGHUP"])
def test_a_signal_leaves_the_screen_and_what_was_at_work_can_be_resumed(
    treadle: Treadle, terminals: list[Terminal], tmp_path: Path, number: signal.Signals
) -> None:
    gate = tmp_path / "gates" / "gate"
    gate.parent.mkdir()
    treadle.home.mkdir(exist_ok=True)
    (treadle.home / "config.toml").write_text(f"[sandbox]\nread = ['{gate.parent}']\n")
    (treadle.folder / "test_waits.py").write_text(WAITS.format(gate=str(gate)))
    terminal = Terminal(tmp_path / "s", treadle, (100, 30))
    terminals.append(terminal)
    terminal.shows("What should change?", "f1 Help")
    terminal.keys("/fix", "Enter")
    terminal.shows("● Tests as they are")
    program(terminal).send_signal(number)
    terminal.shows("left with 130", "It was at work, and stops. Go on with: treadle resume ")
    assert "Tests as they are" not in terminal.text, "the screen that was before is back"
    terminal.keys("typed")
    terminal.shows("typed")  # the terminal echoes again
    assert "\x1b[?" not in terminal.text
    gate.touch()
    ran = treadle("resume", "--json")
    assert ran.result["state"] == "SOLVED", ran


def opened(solved: Treadle, terminals: list[Terminal], folder: Path, size: tuple[int, int], **env: str) -> Terminal:
    """A terminal in which the screen shows the solved session, found among the sessions."""
    terminal = Terminal(folder / "s", solved, size, **env)
    terminals.append(terminal)
    terminal.shows("What should change?", "f1 Help")
    terminal.keys("F3")
    terminal.shows("make the tests pass")
    terminal.keys("Enter")
    terminal.shows("Fixed: stats.py", "a Accept")
    return terminal


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """An editor which only notes what it was given, and the file in which it does."""
    noted, script = tmp_path / "noted", tmp_path / "my editor"
    script.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >>"{noted}"\necho "the editor has the terminal"\n')
    script.chmod(0o755)
    yield noted, f"'{script}' --wait"


def test_what_is_open_is_opened_in_the_editor_and_the_screen_comes_back(
    solved: Treadle, terminals: list[Terminal], tmp_path: Path, editor: tuple[Path, str]
) -> None:
    noted, command = editor
    terminal = opened(solved, terminals, tmp_path, (120, 30), EDITOR=command, VISUAL="")
    terminal.keys("i")
    terminal.keys("/open", "Enter")
    wait_for(lambda: noted.exists() and noted.read_text().count("\n") == 2)
    assert noted.read_text().splitlines()[0] == "--wait"
    assert Path(noted.read_text().splitlines()[1]).name == "session.md"
    wait_for(lambda: not Path(noted.read_text().splitlines()[1]).exists())  # it is gone with the editor
    terminal.shows("Fixed: stats.py")
    assert "the editor has the terminal" not in terminal.text
    terminal.keys("Escape")  # alone: a key right behind it would be taken for one with alt
    terminal.shows("┃▾ ✓ make the tests pass", "a Accept")
    terminal.keys("F2", "Home", "Down", "o")
    wait_for(lambda: noted.read_text().count("\n") == 4)
    assert noted.read_text().splitlines()[3] == str(solved.folder / "stats.py")
    terminal.keys("C-q")
    terminal.shows("left with 0")


def wait_for(holds: object) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not holds():  # type: ignore[operator]
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize(
    "env", [{"TERM": "linux"}, {"LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"LC_ALL": "C"}]
)
def test_a_terminal_without_unicode_is_shown_ascii(
    solved: Treadle, terminals: list[Terminal], tmp_path: Path, env: dict[str, str]
) -> None:
    terminal = Terminal(tmp_path / "s", solved, (120, 30), **env)
    terminals.append(terminal)
    terminal.shows("What should change?", "f1 Help")
    told = [terminal.text]
    terminal.keys("F3")
    terminal.shows("make the tests pass")
    told.append(terminal.text)
    terminal.keys("Enter")
    terminal.shows("Fixed: stats.py", "a Accept")
    told.append(terminal.text)
    for key, words in (("F1", "escape closes this"), ("e", "Your change is tried"), ("m", "takes a hunk")):
        terminal.keys(key)
        terminal.shows(words)
        told.append(terminal.text)
        terminal.keys("Escape")  # alone, as above
        wait_for(lambda: words not in terminal.text)  # noqa: B023 - it is called in the same round
    assert [line for text in told for line in text.splitlines() if not line.isascii()] == []


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("nosuch-editor --wait", "the editor 'nosuch-editor --wait' can't be started (No such file or directory)"),
        ("/no such/editor", "the editor '/no such/editor' can't be started"),
        ("'", "is no command: set VISUAL or EDITOR to one"),
        (" ", "is no command: set VISUAL or EDITOR to one"),
        ("sh -c 'exit 3'", "failed: exit code 3"),
        ("sh -c 'kill -9 $$'", "was ended by signal 9 (Killed)"),
    ],
)
def test_an_editor_that_fails_is_told_and_the_screen_goes_on(
    solved: Treadle, terminals: list[Terminal], tmp_path: Path, command: str, told: str
) -> None:
    terminal = opened(solved, terminals, tmp_path, (140, 30), EDITOR=command, VISUAL="")
    terminal.keys("o")
    terminal.shows(told, "Fixed: stats.py")
    terminal.keys("C-f")
    terminal.shows("Find in this pane")  # it hears what is pressed


def test_a_ctrl_c_is_for_the_editor_alone(solved: Treadle, terminals: list[Terminal], tmp_path: Path) -> None:
    command = "sh -c 'echo the editor has the terminal; sleep 60'"
    terminal = opened(solved, terminals, tmp_path, (120, 30), EDITOR=command, VISUAL="")
    terminal.keys("o")
    terminal.shows("the editor has the terminal")
    terminal.keys("C-c")
    terminal.shows("Fixed: stats.py", "was ended by signal 2", "a Accept")


@pytest.mark.parametrize("where", [(), ("Escape",), ("F3",)], ids=["in the input", "in a pane", "on a page"])
def test_ctrl_z_gives_the_terminal_to_the_shell_and_fg_comes_back(
    solved: Treadle, terminals: list[Terminal], tmp_path: Path, where: tuple[str, ...]
) -> None:
    terminal = Terminal(tmp_path / "s", solved, (120, 30), controls_jobs=True)
    terminals.append(terminal)
    terminal.shows("What should change?", "f1 Help")
    terminal.keys(*where, "C-z")
    terminal.shows("left with")
    assert "What should change?" not in terminal.text, "the screen that was before is back"
    terminal.keys("typed")
    terminal.shows("typed")  # the terminal echoes again
    terminal.keys("Enter")  # for which the shell waits, to go on with it
    terminal.shows("f1 Help", "make the tests pass" if where == ("F3",) else "What should change?")
    terminal.keys("C-q")
    terminal.shows("left for good with 0")
