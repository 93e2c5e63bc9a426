"""Draw docs/screens: the full screen with the demo projects, as the app itself exports it.

python docs/pictures.py
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

from textual.pilot import Pilot

from treadle.core.config.screen_settings import ScreenSettings
from treadle.tui.control.machine import Load
from treadle.tui.screen import app as screen_app
from treadle.tui.screen.app import TreadleApp

HERE = Path(__file__).resolve().parent
PATIENCE_S = 120
LOAD = Load(cpu=12, memory=41, disk=38)
"""How busy this machine really is while it draws is of no interest."""
SMALL, MIDDLE, WIDE = (80, 24), (100, 28), (140, 32)

Look = tuple[str, tuple[int, int], tuple[str, ...], ScreenSettings]
"""A picture: its name, its size, the keys that lead there from the session, and what the person has chosen."""

TILLROLL: tuple[Look, ...] = (
    ("session", WIDE, ("escape", "home", "down", "down", "down", "enter"), ScreenSettings()),
    ("narrow", SMALL, ("escape",), ScreenSettings()),
    ("side-by-side", (110, 20), ("escape", "d"), ScreenSettings()),
    ("light", (120, 24), ("escape",), ScreenSettings(theme="light")),
    ("high-contrast", (120, 24), ("escape",), ScreenSettings(theme="high-contrast")),
    ("help", MIDDLE, ("escape", "f1"), ScreenSettings()),
    ("palette", MIDDLE, ("escape", "ctrl+p"), ScreenSettings()),
    ("plugins", MIDDLE, ("escape", "f4"), ScreenSettings()),
    ("review", MIDDLE, ("escape", "f7", "right"), ScreenSettings()),
    ("metrics", MIDDLE, ("escape", "f8"), ScreenSettings()),
    ("settings", MIDDLE, ("escape", "f10"), ScreenSettings()),
)
PARCELS: tuple[Look, ...] = (("choices", MIDDLE, ("escape", "end"), ScreenSettings()),)
LOOKS = {"tillroll": ("project", TILLROLL), "parcels": ("unclear", PARCELS)}
"""Under which name each demo is repaired, where it lies, and the pictures of that."""


async def until_it_rests(app: TreadleApp, pilot: Pilot[None]) -> None:
    for _ in range(PATIENCE_S * 10):
        await pilot.pause(0.1)
        story = app.session_screen.story
        if story is not None and not story.working and not app.control.working:
            return
    raise SystemExit("docs/pictures.py: the session did not end")


def on_screen(
    project: Path,
    size: tuple[int, int],
    preferences: ScreenSettings,
    play: Callable[[TreadleApp, Pilot[None]], Awaitable[None]],
) -> None:
    app = TreadleApp(project, preferences=preferences)

    async def played() -> None:
        async with app.run_test(size=size) as pilot:
            await play(app, pilot)

    with app.control.closing():
        asyncio.run(played())


async def repair(app: TreadleApp, pilot: Pilot[None]) -> None:
    await pilot.press(*"/fix", "enter")
    await until_it_rests(app, pilot)


def picture(
    project: Path, name: str, size: tuple[int, int], keys: tuple[str, ...], preferences: ScreenSettings
) -> None:
    async def draw(app: TreadleApp, pilot: Pilot[None]) -> None:
        app.session_screen.open_session("last")
        await pilot.press(*keys)
        await pilot.pause(1.5)
        header = app.session_screen.header
        header.tell(replace(header.facts, machine=LOAD.told(), alerts=()))
        await pilot.pause(0.2)
        drawn = re.sub(r"@font-face \{.*?\}", "", app.export_screenshot(title="treadle"), flags=re.DOTALL)
        (HERE / "screens" / f"{name}.svg").write_text(drawn, encoding="utf-8")  # no font is fetched from anywhere

    on_screen(project, size, preferences, draw)


def main() -> None:
    vars(screen_app)["load_now"] = lambda folder: LOAD
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["TREADLE_HOME"] = str(Path(scratch, "home"))
        ignored = shutil.ignore_patterns("__pycache__", ".pytest_cache")
        for called, (demo, looks) in LOOKS.items():
            project = Path(scratch, called)
            shutil.copytree(HERE / "demo" / demo, project, ignore=ignored)
            on_screen(project, WIDE, ScreenSettings(), repair)
            for name, size, keys, preferences in looks:
                picture(project, name, size, keys, preferences)


if __name__ == "__main__":
    main()
