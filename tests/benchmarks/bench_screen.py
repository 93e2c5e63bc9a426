"""The full screen: its first paint against a bare Textual app, keys while output floods, a long session, and rest.

The flood: a job prints 100,000 lines in ten seconds, which the open line of its stage shows as they come, while a model
speaks and a search tells how far it is.

python -m tests.benchmarks.bench_screen
"""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil
from rich.console import RenderableType
from textual import events
from textual.screen import Screen

from tests.tui.long_session import write_long_session
from treadle.core.events import Delta, Event, Printed, Progress
from treadle.core.live_output import LiveOutput
from treadle.core.project import Project
from treadle.core.redaction import Redactor
from treadle.tui.control.mailbox import Began
from treadle.tui.screen.app import TreadleApp
from treadle.tui.widgets.row_view import RowView

ROUNDS = 15
EVENTS = 10_000
LINES = 100_000
DELTAS_A_SECOND = 200
FLOOD_S = 10.0
REST_S = 10.0

_RUN = """
import asyncio, sys, time
async def painted():
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        print(time.time() - psutil.Process().create_time(), flush=True)
        os._exit(0)
import os, psutil
asyncio.run(painted())
"""
BARE = """
from textual.app import App
from textual.containers import Horizontal
from textual.widgets import Footer, Header, Log, Static, TextArea
class Bare(App):
    def compose(self):
        yield Header()
        with Horizontal():
            yield Static("a")
            yield Log()
            yield Log()
        yield TextArea()
        yield Footer()
app = Bare()
"""
OURS = """
from pathlib import Path
from treadle.tui.screen.opening import app_for
app = app_for(Path.cwd())
"""


def seconds_of(program: str, folder: Path) -> float:
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", program + _RUN]
    return float(subprocess.run(command, cwd=folder, env=env, check=True, capture_output=True, text=True).stdout)


def first_paint(folder: Path) -> None:
    pairs = [(seconds_of(BARE, folder), seconds_of(OURS, folder)) for _ in range(ROUNDS)]
    bare, ours = (statistics.median(times) for times in zip(*pairs, strict=True))
    ratio = statistics.median(b / a for a, b in pairs)
    print(
        f"first paint, with Python's start: bare {bare * 1e3:.0f} ms, ours {ours * 1e3:.0f} ms, {ratio:.2f} times (1.3)"
    )


async def flooded(app: TreadleApp, session: str) -> list[float]:
    """Seconds from a key to its paint, while output flows in."""
    over = threading.Event()

    def tell(job: str, text: str, left_out: int) -> None:
        app.mailbox.put(Printed(session=session, stage="execute", job=job, text=text, left_out=left_out))

    def flood() -> None:
        told, began = 0, time.monotonic()
        with LiveOutput(tell, Redactor(os.environ)) as live:
            prints = live.of("tests")
            while not over.is_set():
                due = int((time.monotonic() - began) * DELTAS_A_SECOND)
                for number in range(told, due):
                    lines = "".join(f"line {number}.{n} of what is printed\n" for n in range(LINES // 2000))
                    prints(1, lines.encode())
                    app.mailbox.put(Delta(session=session, stage="execute", text=lines))
                    how_far = Progress(session=session, stage="execute", done=number, total=2000, text="candidates")
                    app.mailbox.put(how_far)
                told = due
                time.sleep(0.005)

    taken: list[float] = []
    async with app.run_test(size=(160, 48)) as pilot:
        app.mailbox.put(Began(session))
        await pilot.pause(0.3)
        app.session_screen.open_session(session)
        view = app.session_screen.query_one("#activity", RowView)
        view.focus()
        await open_a_stage_that_runs(app, session)
        threading.Thread(target=flood, daemon=True).start()
        began = time.monotonic()
        while not any("lines before these" in row.text for row in view.rows):
            assert time.monotonic() - began < FLOOD_S, "nothing of what is printed is shown"
            await pilot.pause(0.1)
        await pilot.press("end", "pageup")
        painted = asyncio.Event()
        paint = app._display

        def display(screen: Screen[object], renderable: RenderableType | None) -> None:
            paint(screen, renderable)
            painted.set()

        app._display = display  # type: ignore[method-assign]
        while time.monotonic() - began < FLOOD_S:
            key, before, pressed = ("down" if len(taken) % 40 < 20 else "up"), view.cursor, time.perf_counter()
            app.post_message(events.Key(key, None))
            while view.cursor == before:
                await asyncio.sleep(0)
            painted.clear()
            await painted.wait()
            taken.append(time.perf_counter() - pressed)
            await asyncio.sleep(0.05)
        over.set()
    return taken


async def open_a_stage_that_runs(app: TreadleApp, session: str) -> None:
    """Until the next event of the session, it shows what the jobs of its last stage print."""
    shown = app.session_screen.view
    assert shown is not None
    story = shown.story
    about = {"stage": "execute", "key": "999.execute"}
    story.fold(Event(session=session, seq=story.seq + 1, time=time.time(), kind="stage.started", data=about))
    story.fold(Printed(session=session, stage="execute", job="tests", text="the first line\n"))
    shown.openings.turn(story.root.children[-1], True)
    app.session_screen.draw()


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "project")
        folder.mkdir()
        os.environ["TREADLE_HOME"] = str(Path(scratch, "home"))
        first_paint(folder)
        with Project(folder) as project:
            session = write_long_session(project, EVENTS)
        app = TreadleApp(folder)
        with app.control.closing():

            async def opened() -> list[float]:
                times = []
                async with app.run_test(size=(160, 48)) as pilot:
                    for _ in range(5):
                        began = time.perf_counter()
                        app.session_screen.open_session(session)
                        await pilot.pause()
                        times.append(time.perf_counter() - began)
                return times

            print(f"{EVENTS:,} events opened in {statistics.median(asyncio.run(opened())) * 1e3:.0f} ms (500)")
        app = TreadleApp(folder)
        process = psutil.Process()
        # As by the program at work on it: a session that nobody holds was interrupted, and prints nothing any more.
        with app.control.closing(), Project(folder) as at_work, at_work.store.lock(session):
            before = process.memory_info().rss
            taken = sorted(asyncio.run(flooded(app, session)))
            grown = (process.memory_info().rss - before) / 1e6
            p99 = taken[int(len(taken) * 0.99)]
            print(
                f"key to paint while it floods: p50 {taken[len(taken) // 2] * 1e3:.0f} ms, p99 {p99 * 1e3:.0f} ms (100)"
            )
            print(f"memory grew by {grown:.0f} MB (60)")
        app = TreadleApp(folder)
        with app.control.closing():

            async def rest() -> float:
                async with app.run_test(size=(160, 48)) as pilot:
                    await pilot.pause(1)
                    before = time.process_time()
                    await asyncio.sleep(REST_S)
                    return (time.process_time() - before) / REST_S

            print(f"at rest {asyncio.run(rest()) * 100:.2f} % of a core (1)")


if __name__ == "__main__":
    main()
