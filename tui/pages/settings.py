"""Every setting: its value, where that comes from, what it may be, and the line that sets it, which can be set here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
import tomli_w
from textual import work
from textual.binding import Binding, BindingType
from textual.message import Message

from treadle.core import wire
from treadle.core.config.key import PROJECT_RULES
from treadle.core.config.layers import PREFIX, value_in_words
from treadle.core.config.one_value import write_setting
from treadle.core.config.screen_settings import ScreenSettings
from treadle.core.config.settings import KEYS, Ignored, KeyInfo, Origin, Settings, told_of
from treadle.core.counting import counted
from treadle.core.errors import TreadleError
from treadle.tui.control.control import Control
from treadle.tui.pages.page import Found, Page, fitting
from treadle.tui.pages.value_dialog import ValueDialog
from treadle.tui.story.line import Line, detail, text_lines
from treadle.tui.widgets.layout import Glyphs

if TYPE_CHECKING:
    from treadle.core.project import Project

_SOURCES = {
    "default": "default",
    "user file": "your file",
    "project file": "the project's file",
    "environment": "environment",
    "command line": "command line",
}
_LONGEST_IN_A_ROW = 60
_COLUMN = max(map(len, KEYS))
_LONGEST = 4000  # characters of a value where it is shown whole
_EXAMPLES: dict[str, Any] = {
    "scan.severity": {"RULE": "ask"},
    "scan.at_least": {"RULE": "ask"},
    "hook_timeouts_s": {"treadle_scan": 60.0},
    "screen.keys": {"session-accept": "ctrl+y"},
    "plugins": {"NAME": {"SETTING": "VALUE"}},
}


class SettingsPage(Page):
    """The settings as they stand in their files now; where this screen still works with others, that is said."""

    NAME = "settings"
    SEARCHES = "Words of a setting: its name, its meaning, its value, where it comes from"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("e", "edit", "Change it", id="settings-edit")]

    @dataclass
    class ScreenSet(Message):
        """A setting of the screen is another one; these hold by now."""

        settings: ScreenSettings

    def __init__(self, control: Control, glyphs: Glyphs) -> None:
        super().__init__(control, glyphs)
        self._set_here: ScreenSettings | None = None

    def read(self, project: Project, words: str) -> Found:
        """The settings that hold the words; what the project was refused comes first."""
        held = self._held(project)
        try:
            with self.control.opened_anew() as anew:
                written = anew.settings
        except TreadleError as error:  # the files hold a mistake by now
            self.in_app(self.tell, str(error), grave=True)
            written = held
        lines = fitting(lines_of(written, held, project.places.user_config), words)
        return Found(lines, {key: value for key, value, _ in written.explain()})

    def _held(self, project: Project) -> Settings:
        """The settings of this run. Those of the screen are the app's own: no session takes them with it."""
        return msgspec.structs.replace(project.settings, screen=self._of_the_screen(project))

    def _of_the_screen(self, project: Project) -> ScreenSettings:
        preferences: ScreenSettings = getattr(self._shown_in, "preferences", project.settings.screen)
        return self._set_here or preferences

    @property
    def key(self) -> str:
        """The setting on which the cursor stands, where it is one that can be written in one line; else ""."""
        key = self.line.key if self.lines and self.line is not None else ""
        return key if key in KEYS and not isinstance(KEYS[key].default, dict) else ""

    @work
    async def action_edit(self) -> None:
        """Write another value of the setting on which the cursor stands into the person's own file."""
        if self.key:
            await self._ask(self.key)

    async def _ask(self, key: str, typed: str | None = None, wrong: str = "") -> None:
        """Ask for a value of that setting. `typed` and `wrong`: what was given, and why it could not be written."""
        info = KEYS[key]
        about = f"{info.description}\nAllowed: {info.kind}"
        value = self.about[key]
        text = value if isinstance(value, str) else "" if value is None else wire.to_json(value).decode()
        dialog = ValueDialog(key, about, text, partial(value_in_words, key), typed, wrong)
        written = await self.app.push_screen_wait(dialog)
        if written is not None:
            self.do(lambda project: self._written(project.places.user_config, key, written))

    def _written(self, own_file: Path, key: str, text: str) -> str:
        try:
            return self._write(own_file, key, text)
        except TreadleError as error:
            if not self.in_app(self._ask_again, key, text, str(error)):
                raise
            return ""

    def _ask_again(self, key: str, typed: str, wrong: str) -> bool:
        """Give back what could not be written, unless the person has left the page meanwhile."""
        if not self.is_there or not self.is_current:
            return False
        self.run_worker(self._ask(key, typed, wrong))
        return True

    def _write(self, own_file: Path, key: str, text: str) -> str:
        write_setting(own_file, key, value_in_words(key, text))
        holds = "" if self.control.reload() else "; it holds from the next session on"
        if key.startswith("screen."):
            self._set_the_screen()
            holds = ""
        return f"{key} is written into {own_file}{holds}."

    def _set_the_screen(self) -> None:
        """Have what is written hold at once, save for other keys: no page sets these."""
        with self.control.opened_anew() as anew:
            keys = self._of_the_screen(anew).keys
            self._set_here = msgspec.structs.replace(anew.settings.screen, keys=keys)
        self._shown_in.post_message(self.ScreenSet(self._set_here))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what is possible now is offered."""
        return bool(self.key) if action == "edit" else super().check_action(action, parameters)


def lines_of(written: Settings, held: Settings, own_file: Path) -> list[Line]:
    """What was refused, then each setting as `written`. `held` are those of this run; `own_file` is the person's."""
    before = {key: value for key, value, _ in held.explain()}
    rows = [
        _setting(key, value, written.origins.get(key, Origin()), before.get(key, value), own_file)
        for key, value, _ in written.explain()
    ]
    return [*_refused(written), *rows]


def _refused(settings: Settings) -> Iterator[Line]:
    """What a person should be told of the settings, first of all what their project wanted and was refused."""
    of_values = set(told_of(settings.ignored))
    for number, notice in enumerate(notice for notice in settings.notices if notice not in of_values):
        yield Line(f"notice.{number}", "question", notice, "waits")
    if settings.ignored:
        count = counted(len(settings.ignored), "setting")
        places = ", ".join(dict.fromkeys(each.place for each in settings.ignored))
        below = [_ignored(number, each) for number, each in enumerate(settings.ignored)]
        below += [
            detail(f"refused.{what}", f"To have it all the same: {what}")
            for what in dict.fromkeys(each.why.partition("; ")[2] for each in settings.ignored)
        ]
        yield Line("refused", "task", "Refused to this project", "waits", f"{count} of {places}", children=below)


def _ignored(number: int, ignored: Ignored) -> Line:
    title = f"{ignored.key} = {_short(_shown(ignored.value))}"
    return detail(f"refused.{number}", title, "waits", ignored.why.partition("; ")[0])


def _setting(key: str, value: Any, origin: Origin, before: Any, own_file: Path) -> Line:
    info = _info(key)
    changed = "" if value == before else f" · in this run still {_short(_shown(before))}"
    result = f"{_short(_shown(value))} · {_SOURCES[origin.source]}{changed}"
    below = list(_below(key, info, value, origin, own_file))
    return Line(key, "detail", key, result=result, children=below, column=_COLUMN)


def _below(key: str, info: KeyInfo, value: Any, origin: Origin, own_file: Path) -> Iterator[Line]:
    yield detail(f"{key}.meaning", info.description)
    whole = _shown(value)
    if len(whole) > _LONGEST_IN_A_ROW:
        rest = f" [... {counted(len(whole) - _LONGEST, 'more character')} ...]" if len(whole) > _LONGEST else ""
        yield detail(f"{key}.value", "Value", result=whole[:_LONGEST] + rest)
    yield detail(f"{key}.allowed", "Allowed", result=info.kind)
    yield detail(f"{key}.default", "Default", result=_shown(info.default))
    if origin.place:
        yield detail(f"{key}.from", "From", result=origin.place)
    yield detail(f"{key}.rule", "A project's file", result=PROJECT_RULES[info.project])
    missing = "" if own_file.is_file() else ", which is not there yet"
    yield Line(
        f"{key}.write", "task", "To change it", result=f"write into {own_file}{missing}", children=_to_write(key, value)
    )
    variable = f"{PREFIX}{key.upper().replace('.', '__')}"
    in_environment = f", or {variable}=VALUE in the environment" if variable.isidentifier() else ""
    yield detail(f"{key}.once", "For one run", result=f"--set {key}=VALUE{in_environment}")
    if origin.source not in ("default", "user file"):
        yield detail(f"{key}.wins", f"The {origin.source} wins over your file", "waits")


def _to_write(key: str, value: Any) -> list[Line]:
    """The lines that set it to what it is, or to an example where it is not set."""
    return text_lines(f"{key}.line", tomli_w.dumps(_table(key, value)).rstrip("\n"))


def _table(key: str, value: Any) -> dict[str, Any]:
    info = _info(key)
    inner = key.removeprefix(info.key).removeprefix(".")
    if isinstance(value, str) and len(value) > _LONGEST_IN_A_ROW:
        value = "..."
    if inner:  # a leaf of a table, whose own names may hold dots
        name, _, rest = inner.partition(".")
        value = {name: {rest: value}} if info.key == "plugins" and rest else {inner: value}
    elif value is None:
        value = 1 if "whole" in info.kind else 1.0
    elif value == {}:
        value = _EXAMPLES[info.key]
    table: dict[str, Any] = {}
    *sections, last = info.key.split(".")
    place = table
    for section in sections:
        place = place.setdefault(section, {})
    place[last] = list(value) if isinstance(value, tuple) else value
    return table


def _info(key: str) -> KeyInfo:
    """What is known of a key, or of the table that it lies in."""
    name = key
    while name not in KEYS:
        name = name.rpartition(".")[0]
    return KEYS[name]


def _shown(value: Any) -> str:
    return "not set" if value is None else wire.to_json(value).decode()


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_IN_A_ROW else f"{text[: _LONGEST_IN_A_ROW - 3]}..."
