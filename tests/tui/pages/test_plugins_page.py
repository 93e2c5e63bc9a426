"""Plugins on the screen: seen, switched on and off, granted what they ask for, set, and their panels."""

from __future__ import annotations

import importlib
import threading
from pathlib import Path
from typing import Any

import pytest

from tests import quick_sessions
from tests.tui.pages import hostile
from tests.tui.pages.page_driver import drive_page, fits, narrow_and_wide
from tests.tui.screen.screen_driver import Driven
from treadle.core.config.settings import Origin
from treadle.core.contributions import Bar, Setting, View
from treadle.core.errors import ConfigError
from treadle.core.plugin_host.plugin_manager import PluginInfo
from treadle.core.plugin_host.state import PluginStates
from treadle.core.project import Project
from treadle.tui.pages import plugins
from treadle.tui.pages.plugin_settings import Field, parsed
from treadle.tui.pages.plugins import PluginsPage, is_on, panel_lines, plugin_line
from treadle.tui.plugin_switching import wanted
from treadle.tui.widgets.layout import UNICODE, rows_of
from treadle.tui.widgets.question_dialog import QuestionDialog

ACME = """
from treadle import Bar, Panel, Setting, View, hookimpl

treadle_needs = {"read": ["project"], "network": True}


@hookimpl
def treadle_settings():
    return (
        Setting(name="most", default=3, least=1, summary="How many are looked at."),
        Setting(name="words", default=(), summary="Words that are left out."),
        Setting(name="mode", default="fast", choices=("fast", "slow"), summary="How."),
    )


@hookimpl
def treadle_contributions():
    return (Panel(name="weather", summary="How it stands."),)


@hookimpl
def treadle_call(kind, name, arguments, context):
    most = context.settings()["most"]
    return View(title="Acme", rows=(("most", str(most)),), bars=(Bar(label="done", done=1, total=4),))
"""


@pytest.fixture(autouse=True)
def no_settings_of_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a page shows of settings is what these tests set."""
    for name in quick_sessions.ENVIRONMENT:
        monkeypatch.delenv(name)


@pytest.fixture
def acme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A distribution with a plugin that asks for something, on the import path as pip would lay it."""
    folder = tmp_path / "packages"
    info = folder / "acme-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / "acme_plugin.py").write_text(ACME)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[treadle]\nacme = acme_plugin\n")
    monkeypatch.syspath_prepend(folder)
    importlib.invalidate_caches()


def states(folder: Path, **run: bool) -> PluginStates:
    return PluginStates(folder, user_file=folder / "user.toml", project_file=folder / "mine.toml", run=run)


def of(**fields: Any) -> PluginInfo:
    said = {"name": "acme", "version": "1.0", "source": "acme 1.0", "module": "acme", "state": "enabled"}
    return PluginInfo(**{**said, **fields})


def told(info: PluginInfo, said: PluginStates, fault: str = "") -> tuple[str, list[tuple[str, str]]]:
    line = plugin_line(info, said, {}, fault, 8)
    return line.result, [(below.title, below.result) for below in line.children]


def test_it_is_told_who_said_so(tmp_path: Path) -> None:
    said = states(tmp_path)
    assert told(of(source="built-in"), said)[0] == "enabled, by default"
    assert told(of(state="disabled", why="not enabled yet: `treadle plugin enable acme`"), said)[0] == (
        "disabled, not enabled yet"
    )
    said.enable("acme", scope="user")
    assert told(of(), said)[0] == "enabled, by you, for all projects"
    said.disable("acme")
    assert told(of(), said)[0] == "enabled, by you, for this project; off from the next session on"
    assert told(of(), states(tmp_path, acme=True))[0] == "enabled, for this run"


def test_what_nobody_trusts_is_not_on_and_can_be_asked_about(tmp_path: Path) -> None:
    said = states(tmp_path)
    said.enable("acme")
    assert is_on(of(), said)
    assert not is_on(of(state="untrusted", why="it was granted to another"), said)
    assert told(of(state="untrusted", why="it was granted to another"), said)[0] == (
        "untrusted, it was granted to another"
    )


def test_all_that_is_known_of_it_is_below(tmp_path: Path) -> None:
    info = of(
        hooks=("treadle_scan",),
        isolation="process",
        may=("use the network",),
        calls=4,
        faults=1,
        p50_ms=12.0,
        p95_ms=40.0,
        warnings=("the first", "the second"),
    )
    result, below = told(info, states(tmp_path), "it was wrong")
    assert result.endswith(" · scan")
    assert ("runs", "in a process of its own") in below
    assert any(label == "may" and text.endswith("use the network") for label, text in below)
    assert [text for label, text in below if label == "warning"] == ["the first", "the second"]
    assert any(label == "used" and "calls: 4, faults: 1; a call took 12 ms (median)" in text for label, text in below)
    assert ("fault", "it was wrong") in below


def test_a_panel_is_data() -> None:
    view = View(title="T", rows=(("a", "b"),), bars=(Bar(label="done", done=1, total=4),))
    assert [line.title for line in panel_lines("k", view)] == [
        "T",
        "",
        "a  b",
        "",
        "done  [#####...............] 1 of 4",
    ]
    assert panel_lines("k", None)[0].state == "failed"
    assert panel_lines("k", View())[0].title == "It has nothing to show now"


@pytest.mark.parametrize("text", hostile.texts())
def test_hostile_descriptions_are_only_shown(tmp_path: Path, text: str) -> None:
    info = of(source=text, why=text, warnings=(text,), settings=(Setting(name="a", default=text, summary=text),))
    lines = [plugin_line(info, states(tmp_path), {}, text, 8), *panel_lines("k", View(title=text, text=text))]
    shown = "".join(row.text for row in rows_of(lines, 80, lambda line: True, UNICODE))
    assert not any(char in shown for char in hostile.OBEYED)
    if text == hostile.MARKUP:
        assert text in shown


@pytest.mark.parametrize(
    ("default", "text", "value"),
    [
        ("", 'a "quoted" # word', 'a "quoted" # word'),
        (3, "4", 4),
        (0.5, "2", 2.0),
        (True, "false", False),
        ((), "a, b", ["a", "b"]),
        ((1,), "[1, 2]", [1, 2]),
        ((), "", []),
    ],
)
def test_a_field_holds_what_a_settings_file_would(default: object, text: str, value: object) -> None:
    setting = Setting(name="x", default=default)
    assert parsed(setting, text, "plugins.acme.x") == value
    again = Field(setting, value, Origin())
    assert parsed(setting, again.text, "plugins.acme.x") == value


@pytest.mark.parametrize("text", ["", "four", "4.5", "0", "[4]"])
def test_a_field_refuses_what_a_settings_file_would(text: str) -> None:
    with pytest.raises(ConfigError, match=r"^plugins.acme.x must be "):
        parsed(Setting(name="x", default=3, least=1), text, "plugins.acme.x")


def test_a_text_of_several_lines_is_no_field() -> None:
    assert not Field(Setting(name="prompt", default=""), "a\nb", Origin()).is_editable
    assert not Field(Setting(name="services", default={}), {}, Origin()).is_editable


@narrow_and_wide
def test_one_is_granted_what_it_asks_for_set_and_switched_off(
    project: Path, home: Path, acme: None, size: tuple[int, int]
) -> None:
    config = home / "config.toml"
    config.write_text('# mine\napproval = "ask" # always\n')

    async def play(screen: Driven) -> None:
        await screen.shows("javascript", "disabled, not enabled yet", "enabled, by default · plan")
        await screen.press("slash", *"acme", "enter")
        await screen.shows("■ acme")
        await screen.press("p")
        await screen.shows("The plugin acme wants to do this, in this project:", "read this project's files")
        assert "use the network" in screen.text
        # Nobody waits for the answer: the dialog may be taken away.
        await screen.until(lambda: not [each for each in screen.app.workers if each.group.startswith("switching")])
        await screen.press("escape")
        await screen.until(lambda: isinstance(screen.app.screen, PluginsPage))
        await screen.shows("■ acme")
        await screen.press("p")
        await screen.until(lambda: isinstance(screen.app.screen, QuestionDialog) and screen.app.screen._listens)
        await screen.press("tab", "enter")
        await screen.shows("✓ acme", "enabled, by you, for this project", "acme is switched on for this project.")

        await screen.press("enter")
        await screen.shows("in a process of its own", "also to send there", "most = 3", "panel weather")
        assert fits(screen)
        await screen.press("end", "enter")
        await screen.shows("Acme", "most  3", "[#####...............] 1 of 4")

        await screen.press("e")
        await screen.shows("Settings of acme", "How many are looked at. (at least 1)", "a whole number; default: 3")
        await screen.press("backspace", "0", "ctrl+s")
        await screen.shows("✗ must be at least 1, not 0", "Nothing is saved")
        assert fits(screen)
        await screen.press("escape")
        await screen.shows("You have changed it: escape once more throws that away")
        await screen.press("backspace", "7", "ctrl+s")
        await screen.shows("Saved in", "most = 7")
        assert config.read_text() == '# mine\napproval = "ask" # always\n\n[plugins.acme]\nmost = 7\n'

        await screen.press("p")
        await screen.shows("■ acme", "disabled, by you, for this project", "acme is switched off")
        await screen.press("e")
        await screen.shows("acme is off, and says what can be set once it is on.")

    drive_page(project, PluginsPage, play, size)
    with Project(project) as opened:
        assert not opened.plugin_states.choice("acme", built_in=False).enabled
        assert opened.settings.plugins == {"acme": {"most": 7}}


def test_for_all_projects_says_where_this_one_has_its_own_choice(project: Path, home: Path) -> None:
    async def play(screen: Driven) -> None:
        await screen.press("slash", *"scan-bandit", "enter")
        await screen.shows("✓ scan-bandit")
        await screen.press("p")
        await screen.shows("■ scan-bandit")
        await screen.press("u")
        await screen.shows("scan-bandit is switched on for all your projects.", "it stays off")
        await screen.press("p")
        await screen.shows("✓ scan-bandit")

    drive_page(project, PluginsPage, play, (160, 48))
    assert "scan-bandit" in (home / "plugins.toml").read_text()


def test_what_is_wrong_with_the_settings_of_one_hides_no_other(project: Path, home: Path) -> None:
    (home / "config.toml").write_text('[plugins.search]\nbatch = "many"\n')

    async def play(screen: Driven) -> None:
        await screen.shows("✗ search", "✓ plan-tests")
        await screen.press("slash", *"faulty", "enter")
        await screen.until(lambda: "plan-tests" not in screen.text)
        await screen.press("enter")
        await screen.shows("mend that there", "12 settings")

    drive_page(project, PluginsPage, play, (160, 48))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("acme", "acme stays off: it wants something that you are asked about on the page of plugins."),
        ("javascript", "javascript is switched on for this project."),
    ],
)
def test_what_comes_of_switching_is_told_also_once_the_person_has_left(
    project: Path, acme: None, name: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = threading.Event()

    def slow(*arguments: Any, **more: Any) -> Any:
        assert goes_on.wait(30)
        return wanted(*arguments, **more)

    monkeypatch.setattr(plugins, "wanted", slow)

    async def play(screen: Driven) -> None:
        await screen.shows("javascript")
        await screen.press("slash", *name, "enter")
        await screen.shows(f"■ {name}")
        page = screen.app.screen
        await screen.press("p", "escape")
        await screen.until(lambda: not page.is_attached)
        goes_on.set()
        await screen.shows(told)
        assert screen.app.screen is screen.app.session_screen, "nothing is asked there"

    drive_page(project, PluginsPage, play, (120, 30))
