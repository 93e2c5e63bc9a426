"""What is told when the screen opens, and what is left of it in its terminal when it is ended from outside."""

from __future__ import annotations

import os
import pty
import select
import string
import subprocess
import sys
import time
from pathlib import Path

from tests.tui.screen.screen_driver import PATIENCE_S, Driven, drive
from treadle.core.places import Places
from treadle.tui.exit_codes import ExitCode


def test_settings_that_can_not_be_read_are_told_before_anything_is_asked_for(project: Path) -> None:
    home = Path(os.environ["TREADLE_HOME"])
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.toml").write_text('[screen.keys\nsession-accept = "y"\n')

    async def play(screen: Driven) -> None:
        await screen.shows("not valid TOML")
        assert screen.app.session_screen.prompt.has_focus

    drive(project, play, (200, 30))


ENDED = """
import os, string, signal, sys, threading, time
from pathlib import Path
from textual import events
from textual.widgets import TextArea
from treadle.core.records import FileChange
from treadle.tui.screen import opening
from treadle.tui.screen.app import TreadleApp
from treadle.tui.screen.edit_screen import EditScreen

class Screen(TreadleApp):
    def on_mount(self):
        self.call_later(self.edit)  # once the session's screen is there

    async def edit(self):
        await self.push_screen(EditScreen((FileChange(path="a.py", content=b""),)))
        self.call_after_refresh(self.is_ended)

    def is_ended(self):
        {is_ended}

class SlowTerminal:
    is_slow = False

    def __init__(self, terminal):
        self.terminal = terminal

    def __getattr__(self, name):
        return getattr(self.terminal, name)

    def write(self, text):
        time.sleep(0.05 * self.is_slow)
        self.terminal.write(text)

sys.__stderr__ = SlowTerminal(sys.__stderr__)

def end():
    os.kill(os.getpid(), signal.SIGTERM)

def hang():
    threading.Event().wait()

def fill():
    os.set_blocking(2, False)
    try:
        while True:
            os.write(2, b"x" * 4096)
    except BlockingIOError:
        os.set_blocking(2, True)

opening.app_for = lambda folder: Screen(Path.cwd(), survives=True)
opening._AT_LAST_S, opening._RESTORE_S = {at_last_s}, {restore_s}
code = opening.open_screen()
timers = [each for each in threading.enumerate() if isinstance(each, threading.Timer)]
print("timers:", [each for each in timers if not each.finished.is_set()])
sys.stdout.flush()
os._exit(code)  # whatever hangs
"""


def ended(
    project: Path, is_ended: str, *, at_last_s: float = 600.0, restore_s: float = 600.0, reads: bool = True
) -> str:
    """What the terminal has got of a screen that is ended in that way; with `reads` false it takes only as much as it
    holds."""
    terminal, slave = pty.openpty()
    script = ENDED.format(is_ended=is_ended, at_last_s=at_last_s, restore_s=restore_s)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TERM": "xterm-256color"}
    got = b""
    deadline = time.monotonic() + PATIENCE_S
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=project, env=env, stdin=slave, stdout=slave, stderr=slave
    ) as screen:
        os.close(slave)
        try:
            while screen.poll() is None or (reads and select.select([terminal], [], [], 0)[0]):
                assert time.monotonic() < deadline, got
                if not reads or not select.select([terminal], [], [], 0.1)[0]:
                    time.sleep(0.02)
                    continue
                try:
                    got += os.read(terminal, 1 << 16)
                except OSError:  # it is open nowhere any more
                    break
            assert screen.wait(PATIENCE_S) == ExitCode.INTERRUPTED, got
        finally:
            screen.kill()
            os.close(terminal)
    return got.decode()


def kept(project: Path) -> list[str]:
    return [file.read_text() for file in Places.find(project).unsaved.glob("*/*")]


def test_it_is_left_behind_the_keys_that_wait_and_says_what_is_kept_also_where_a_thread_hangs(project: Path) -> None:
    keys = "[self.post_message(events.Key(key, key)) for key in string.ascii_lowercase]"
    told = ended(project, f"self.threads.patience_s = 0.01; self.threads.submit(hang); {keys}; end(); end()")
    assert kept(project) == [string.ascii_lowercase]
    assert "What you had written and not saved is kept in" in told
    assert "timers: []" in told, "nothing ends it behind its back"


def test_where_the_screen_itself_hangs_its_terminal_is_as_before_and_says_what_is_kept(project: Path) -> None:
    told = ended(
        project,
        "self.screen.query_one(TextArea).text = 'mine'; sys.__stderr__.is_slow = True; end(); hang()",
        at_last_s=0.1,
    )
    last = {mode: told.rfind(f"\x1b[?{mode}") for mode in ("1000l", "1003l", "1006l", "2004l", "1004l", "1049l")}
    for mode, place in last.items():
        assert place > told.rfind(f"\x1b[?{mode.replace('l', 'h')}"), mode
    assert told.rfind("\x1b[?25h") > told.rfind("\x1b[?25l"), "the cursor is shown"
    assert told.rfind("What you had written and not saved is kept in") > last["1049l"]
    assert kept(project) == ["mine"]


def test_it_ends_also_where_nobody_takes_what_is_written_to_the_terminal_any_more(project: Path) -> None:
    """As where the terminal has been closed with more waiting to be written than its driver holds."""
    is_ended = "self.screen.query_one(TextArea).text = 'mine'; fill(); end(); hang()"
    ended(project, is_ended, at_last_s=0.1, restore_s=1.0, reads=False)
    assert kept(project) == ["mine"]
