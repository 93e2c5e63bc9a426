"""The page of the settings: what holds, where it comes from, what would set it, and what a project was refused."""

from __future__ import annotations

import threading
import tomllib
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input

from tests.tui.pages.page_driver import drawn, drive_page, narrow_and_wide
from tests.tui.screen.screen_driver import Driven, drive
from tests.tui.test_safe_text import CASES, text_of
from treadle.core.config import layers
from treadle.core.config.one_value import write_setting
from treadle.core.config.screen_settings import ScreenSettings
from treadle.core.config.settings import KEYS, Settings
from treadle.tui.pages import settings
from treadle.tui.pages.page import fitting
from treadle.tui.pages.settings import SettingsPage, lines_of
from treadle.tui.safe_text import clean_line
from treadle.tui.story.line import Line


def read(folder: Path, own: str = "", projects: str = "", **env: str) -> Settings:
    """The settings of a project in that folder, whose person's file is beside it."""
    (folder / "project" / ".treadle").mkdir(parents=True, exist_ok=True)
    (folder / "own.toml").write_text(own)
    (folder / "project" / ".treadle" / "config.toml").write_text(projects)
    return layers.load(folder / "project", user_file=folder / "own.toml", env=env, overrides={})


def found(lines: list[Line], key: str) -> Line:
    return next(line for line in lines if line.key == key)


def told(line: Line) -> str:
    return "\n".join(drawn([line], 200, opened=True))


def test_each_setting_has_its_value_and_where_it_comes_from(tmp_path: Path) -> None:
    settings = read(tmp_path, "[loop]\nmax_attempts = 9\n", "[budget]\njobs = 5\n", TREADLE_BUDGET__USD="2")
    lines = lines_of(settings, settings, tmp_path / "own.toml")
    assert [line.key for line in lines if line.key in KEYS] == list(KEYS)
    rows = drawn(lines, 200)
    assert "▸ · loop.max_attempts              9 · your file" in rows
    assert "▸ · budget.jobs                    5 · the project's file" in rows
    assert "▸ · budget.usd                     2.0 · environment" in rows
    assert "▸ · models.coder.temperature       not set · default" in rows
    assert "The environment wins over your file" in told(found(lines, "budget.usd"))
    assert "wins over" not in told(found(lines, "loop.max_attempts"))


def test_a_setting_opens_to_all_that_is_known_of_it(tmp_path: Path) -> None:
    settings = read(tmp_path)
    text = told(found(lines_of(settings, settings, tmp_path / "gone.toml"), "sandbox.tier"))
    for part in (
        "The limits for jobs that name none of their own.",
        "Allowed  one of 'heavy', 'standard', 'quick'",
        'Default  "standard"',
        "A project's file  may only move it along its options",
        f"write into {tmp_path}/gone.toml, which is not there yet",
        '[sandbox]\n    tier = "standard"',
        "--set sandbox.tier=VALUE, or TREADLE_SANDBOX__TIER=VALUE",
    ):
        assert part in text


def test_the_lines_to_write_are_such_as_can_be_read_back(tmp_path: Path) -> None:
    own = '[scan.severity]\n"S.1" = "deny"\n[plugins.ruff]\nselect = ["E"]\n'
    settings = read(tmp_path, own)
    for line in lines_of(settings, settings, tmp_path / "own.toml"):
        write = found(line.children, f"{line.key}.write")
        written = "\n".join(each.title for each in write.children)
        tomllib.loads(written)
        again = read(tmp_path, written.replace("RULE", "rule").replace("NAME", "ruff"))
        info = next(key for key in KEYS if f"{line.key}.".startswith(f"{key}."))
        assert any(f"{key}.".startswith(f"{info}.") for key in again.origins), line.key


def test_what_a_project_was_refused_comes_first(tmp_path: Path) -> None:
    settings = read(tmp_path, projects='python = "/bin/evil"\n[sandbox]\nnetwork = "host"\n')
    rows = drawn(lines_of(settings, settings, tmp_path / "own.toml"), 200)
    assert rows[0].startswith("▾ ? Refused to this project  2 settings of ")
    assert '? python = "/bin/evil"  a project may not set it' in rows[1]
    assert "sandbox.network = \"host\"  a project may only make it stricter, and it is 'none'" in rows[2]
    assert rows[3].endswith(
        "put it into your own config.toml, or look at the project's settings and run `treadle trust`"
    )


def test_where_a_file_has_changed_since_the_start_both_values_are_told(tmp_path: Path) -> None:
    held = read(tmp_path, "[loop]\nmax_attempts = 9\n")
    written = read(tmp_path, "[loop]\nmax_attempts = 7\n")
    line = found(lines_of(written, held, tmp_path / "own.toml"), "loop.max_attempts")
    assert line.result == "7 · your file · in this run still 9"


def test_settings_are_found_by_meaning_value_and_source(tmp_path: Path) -> None:
    settings = read(tmp_path, "[loop]\nmax_attempts = 9\n")
    lines = lines_of(settings, settings, tmp_path / "own.toml")
    assert [line.key for line in fitting(lines, "your file 9")] == ["loop.max_attempts"]
    assert "budget.usd" in [line.key for line in fitting(lines, "dollars session")]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_hostile_values_of_a_project_are_words(case: dict, tmp_path: Path) -> None:
    settings = layers.load(tmp_path, user_file=tmp_path / "own.toml", env={}, overrides={"python": text_of(case)[:300]})
    rows = drawn(lines_of(settings, settings, tmp_path / "own.toml"), opened=True)
    for row in rows:
        assert clean_line(row).split() == row.split()


@narrow_and_wide
def test_a_setting_is_looked_for_opened_and_read_again(project: Path, home: Path, size: tuple[int, int]) -> None:
    async def play(screen: Driven) -> None:
        await screen.shows("approval", '"review" · default')
        await screen.press("slash", *"attempts", "space", *"ends", "enter")
        await screen.shows("loop.max_attempts              15 · default")
        await screen.until(lambda: "approval" not in screen.text)
        await screen.press("enter")
        await screen.shows("max_attempts = 15", "may only lower it", str(home)[:40])
        (home / "config.toml").write_text("[loop]\nmax_attempts = 9\n")
        await screen.press("ctrl+r")
        await screen.shows("9 · your file · in this run still 15")
        (home / "config.toml").write_text("[loop]\nmax_attempts = 'many'\n")
        await screen.press("ctrl+r")
        await screen.shows("must be a whole number", "loop.max_attempts              15 · default")

    drive_page(project, SettingsPage, play, size)


def test_words_that_no_setting_holds_find_none(project: Path) -> None:
    async def play(screen: Driven) -> None:
        await screen.shows("approval")
        await screen.press("slash", *"xyzzy")
        await screen.shows("Nothing here holds these words.")

    drive_page(project, SettingsPage, play)


@narrow_and_wide
def test_a_setting_is_changed_in_the_persons_own_file(project: Path, home: Path, size: tuple[int, int]) -> None:
    (home / "config.toml").write_text("# mine\n[loop]\nmax_attempts = 9 # few\n")

    async def play(screen: Driven) -> None:
        await screen.shows("approval")
        await screen.press("slash", *"attempts", "space", *"ends", "enter")
        await screen.shows("9 · your file", "e Change it")
        await screen.until(lambda: "approval" not in screen.text)
        await screen.press("home", "e")
        await screen.shows("Attempts in all after which the session ends", "Allowed: a whole number of at least 1")
        await screen.press("backspace", *"x", "enter")
        await screen.shows("✗ loop.max_attempts must be a whole number of at least 1, not")
        await screen.press("backspace", *"9" * 20, "enter")
        await screen.shows("✗ loop.max_attempts must be a whole number of at least 1, and less")
        await screen.press(*["backspace"] * 20, "7", "enter")
        await screen.shows("7 · your file", "is written into")
        assert (home / "config.toml").read_text() == "# mine\n[loop]\nmax_attempts = 7 # few\n"
        assert screen.app.control.project.settings.loop.max_attempts == 7, "it holds at once"
        await screen.press("e", "escape")
        await screen.until(lambda: "enter writes it" not in screen.text)
        await screen.press("e", "1", "escape")
        await screen.shows("esc once more throws that away", "│  1  ")
        await screen.press("2", "escape")
        await screen.shows("esc once more throws that away", "│  12  ")
        await screen.press("escape")
        await screen.until(lambda: "enter writes it" not in screen.text)
        await screen.shows("7 · your file")

    drive_page(project, SettingsPage, play, size)


@pytest.mark.parametrize("at_work", [False, True])
def test_what_is_set_for_the_screen_holds_at_once(
    project: Path, home: Path, monkeypatch: pytest.MonkeyPatch, at_work: bool
) -> None:
    async def change(screen: Driven, key: str, before: str, after: str) -> None:
        await screen.press("slash")
        screen.app.screen.query_one(Input).value = key
        await screen.press("enter")
        await screen.shows(f"{key} ", f'"{before}" · default')
        await screen.until(lambda: "approval" not in screen.text)
        await screen.press("home", "e")
        await screen.shows("enter writes it")
        screen.app.screen.query_one(Input).value = after
        await screen.press("enter")
        await screen.shows(f"{key} is written into", f'"{after}" · your file')
        assert "in this run still" not in screen.text
        assert "it holds from the next session on" not in screen.text

    async def play(screen: Driven) -> None:
        app = screen.app
        if at_work:
            monkeypatch.setattr(app.control, "_at_work", True)
        await change(screen, "screen.theme", "dark", "light")
        await screen.until(lambda: app.theme == "textual-light")
        if at_work:
            monkeypatch.undo()
            return
        await change(screen, "screen.motion", "full", "reduced")
        await screen.until(lambda: app.animation_level == "none" and not app.session_screen.prompt.cursor_blink)
        await change(screen, "screen.notify", "bell", "never")
        await screen.until(lambda: app.preferences.notify == "never")
        monkeypatch.undo()

    drive_page(project, SettingsPage, play, (120, 30))


def test_what_is_set_for_the_screen_holds_also_once_the_person_has_left(
    project: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = threading.Event()

    def slow(*arguments: Any) -> None:
        assert goes_on.wait(30)
        write_setting(*arguments)

    monkeypatch.setattr(settings, "write_setting", slow)

    async def play(screen: Driven) -> None:
        await screen.shows("approval")
        await screen.press("slash", *"screen.theme", "enter")
        await screen.until(lambda: "approval" not in screen.text)
        await screen.press("home", "e")
        await screen.shows("enter writes it")
        screen.app.screen.query_one(Input).value = "light"
        await screen.press("enter")
        page = screen.app.screen
        await screen.press("escape")
        await screen.until(lambda: not page.is_attached)
        goes_on.set()
        await screen.shows("screen.theme is written into")
        await screen.until(lambda: screen.app.theme == "textual-light")

    drive_page(project, SettingsPage, play, (120, 30))


def test_how_stages_open_by_themselves_holds_for_the_session_that_is_shown(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        shown = screen.app.session_screen
        shown.open_session("last")
        await screen.shows("Fixed: stats.py")
        rows = len(shown.pane("activity").rows)
        screen.app.post_message(SettingsPage.ScreenSet(ScreenSettings(opens="always")))
        await screen.until(lambda: len(shown.pane("activity").rows) > rows)

    drive(solved_here, play)
