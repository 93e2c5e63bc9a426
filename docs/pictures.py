"""Draw docs/screens: the full screen with the demo project, as the app itself exports it.

python docs/pictures.py
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import tempfile
from pathlib import Path

from textual.pilot import Pilot

from treadle.tui.screen.app import TreadleApp

HERE = Path(__file__).resolve().parent
PATIENCE_S = 120


async def until_it_rests(app: TreadleApp, pilot: Pilot[None]) -> None:
    for _ in range(PATIENCE_S * 10):
        await pilot.pause(0.1)
        story = app.session_screen.story
        if story is not None and not story.working and not app.control.working:
            return
    raise SystemExit("docs/pictures.py: the session did not end")


def picture(project: Path, name: str, size: tuple[int, int], keys: tuple[str, ...]) -> None:
    app = TreadleApp(project)

    async def play() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.press(*"/fix", "enter")
            await until_it_rests(app, pilot)
            await pilot.press(*keys)
            await pilot.pause(0.3)
            drawn = re.sub(r"@font-face \{.*?\}", "", app.export_screenshot(title="treadle"), flags=re.DOTALL)
            (HERE / "screens" / name).write_text(drawn, encoding="utf-8")  # no font is fetched from anywhere

    with app.control.closing():
        asyncio.run(play())


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["TREADLE_HOME"] = str(Path(scratch, "home"))
        project = Path(scratch, "tillroll")
        ignored = shutil.ignore_patterns("__pycache__", ".pytest_cache")
        shutil.copytree(HERE / "demo" / "project", project, ignore=ignored)
        picture(project, "session.svg", (140, 32), ("escape", "home", "down", "down", "down", "enter"))
        picture(project, "narrow.svg", (80, 24), ("escape",))


if __name__ == "__main__":
    main()
