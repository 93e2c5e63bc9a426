"""Leaving the screen while something hangs."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

from tests.tui.screen.screen_driver import Driven, drive
from treadle.tui.screen.threads import Threads

PATIENCE_S = 60.0


def test_what_is_at_work_is_waited_for_as_long_as_there_is_patience() -> None:
    opened, begun = threading.Event(), threading.Event()

    def hangs() -> str:
        begun.set()
        assert opened.wait(PATIENCE_S)
        return "done"

    threads = Threads(patience_s=0.01)
    future = threads.submit(hangs)
    assert begun.wait(PATIENCE_S)
    threads.shutdown()
    assert threads.at_work == 1
    opened.set()
    assert future.result(PATIENCE_S) == "done"
    patient = Threads(PATIENCE_S)
    done: list[str] = []
    patient.submit(done.append, "it")
    patient.shutdown()
    assert done == ["it"]


def test_an_error_is_the_waiting_sides() -> None:
    threads = Threads()
    assert isinstance(threads.submit(int, "x").exception(PATIENCE_S), ValueError)
    threads.shutdown()


def test_one_that_hangs_keeps_nobody_on_the_screen(project: Path) -> None:
    opened = threading.Event()

    async def play(screen: Driven) -> None:
        screen.app.threads.patience_s = 0.01
        screen.app.session_screen.in_thread(lambda: str(opened.wait(PATIENCE_S))[:0])
        await screen.press("ctrl+q")

    app = drive(project, play)
    assert app.threads.at_work, "it was left while that was at work"
    opened.set()


_HANGS = """
import sys, threading
from treadle.tui.screen import opening
from treadle.tui.screen.app import TreadleApp

class Headless(TreadleApp):
    def run(self, **kwargs):
        self.threads.patience_s = 0.01
        super().run(headless=True, auto_pilot=hang)

async def hang(pilot):
    begun = threading.Event()
    pilot.app.session_screen.in_thread(lambda: begun.set() or str(threading.Event().wait()))
    while not begun.is_set():
        await pilot.pause()
    await pilot.press("ctrl+q")

opening.TreadleApp = Headless
code = opening.open_screen()
print("left with", code)
sys.exit(code)
"""


def test_nor_does_the_process_wait_for_it(project: Path) -> None:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", _HANGS]
    ran = subprocess.run(command, cwd=project, env=env, capture_output=True, check=False, text=True, timeout=PATIENCE_S)
    assert (ran.stdout.strip().splitlines()[-1:], ran.returncode) == (["left with 0"], 0), ran.stderr
