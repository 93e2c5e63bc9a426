"""The settings of a plugin as a form: a field for each, held against what the setting takes, saved one by one."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from treadle.core.config.one_value import write_plugin_setting
from treadle.core.config.settings import Origin, Settings
from treadle.core.contributions import Setting
from treadle.core.errors import ConfigError
from treadle.core.plugin_host.plugin_manager import PluginInfo
from treadle.core.plugin_host.settings import taken
from treadle.tui.plugin_card import setting_meaning
from treadle.tui.safe_text import clean_line
from treadle.tui.widgets.changing_text import ChangingText
from treadle.tui.widgets.keys_that_fit import KeysThatFit
from treadle.tui.widgets.told import Told
from treadle.tui.widgets.unsaved import Texts, Unsaved

_KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}


@dataclass(frozen=True)
class Field:
    """A setting with the value that holds, and where that comes from. `text` is the value as it is edited; a text of
    several lines can't be, and stands in `origin`."""

    setting: Setting
    value: object
    origin: Origin

    @property
    def text(self) -> str:
        """The value as it is written in the form: a text as it is, all else as in the settings file."""
        if isinstance(self.setting.default, str) and isinstance(self.value, str):
            return self.value
        return "" if self.value is None else json.dumps(self.value, ensure_ascii=False)

    @property
    def is_editable(self) -> bool:
        """Whether it can be written in one line of a form."""
        return "\n" not in self.text and not isinstance(self.value, dict)

    @property
    def told(self) -> str:
        """What it takes, its default, and where its value comes from."""
        default = json.dumps(self.setting.default, ensure_ascii=False)
        return f"{kind_of(self.setting)}; default: {default}; now from: {self.origin}"


def fields_of(info: PluginInfo, settings: Settings) -> list[Field]:
    """The fields of a plugin's form."""
    table = settings.plugins.get(info.name, {})
    return [
        Field(
            each, table.get(each.name, each.default), settings.origins.get(f"plugins.{info.name}.{each.name}", Origin())
        )
        for each in info.settings
    ]


def kind_of(setting: Setting) -> str:
    """What kind of value it takes, in a person's words."""
    if isinstance(setting.default, list | tuple):
        return "a list, as [1, 2] or words with commas between them"
    return _KINDS.get(type(setting.default), "a value as in the settings file")


def parsed(setting: Setting, text: str, dotted: str) -> object:
    """The value that is written in a field. Raises `ConfigError`, as for a settings file, for one that the setting does
    not take."""
    if isinstance(setting.default, str):
        return taken(setting, text, dotted)
    value: object = text
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        if isinstance(setting.default, list | tuple):
            value = [word.strip() for word in text.split(",") if word.strip()]
    return taken(setting, value, dotted)


class SettingsForm(Unsaved[str]):
    """Answers with a sentence on what was saved, "" when nothing was."""

    AUTO_FOCUS = ""
    KEEPS = ", ctrl+s saves it"
    DEFAULT_CSS = """
    SettingsForm #about { height: auto; background: $panel; padding: 0 1; text-style: bold; }
    SettingsForm VerticalScroll { height: 1fr; padding: 0 1; }
    SettingsForm Static { height: auto; }
    SettingsForm .field { height: auto; }
    SettingsForm .name { text-style: bold; }
    SettingsForm .kind { color: $text-muted; }
    SettingsForm .wrong { color: $text-error; margin-bottom: 1; }
    SettingsForm Input { border: round $border-blurred; }
    SettingsForm Input:focus { border: round $border; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "save", "Save", priority=True, id="form-save"),
        Binding("escape", "leave", "Leave as it was", id="form-leave"),
    ]

    def __init__(self, plugin: str, fields: Iterable[Field], file: Path) -> None:
        """`file` is the person's own settings file."""
        super().__init__()
        self._plugin = plugin
        self._fields = list(fields)
        self._file = file
        self._saved: list[Field] = []

    def compose(self) -> ComposeResult:
        """Each setting: its name and what it is for, its value, what it takes, and what is wrong."""
        yield Static(_plain(f"Settings of {self._plugin}, saved in {self._file}"), id="about", markup=False)
        with VerticalScroll(can_focus=False):
            for number, field in enumerate(self._fields):
                with Vertical(classes="field"):
                    yield from self._composed(number, field)
        yield Told()
        yield KeysThatFit()

    def _composed(self, number: int, field: Field) -> Iterator[Static | Input]:
        meaning = setting_meaning(field.setting)
        yield Static(_plain(field.setting.name), classes="name", markup=False)
        if meaning:
            yield Static(_plain(meaning), markup=False)
        if field.is_editable:
            yield Input(field.text, id=f"field-{number}", select_on_focus=False)
        else:
            yield Static(
                _plain(f"It takes more than a line: write it in {field.origin.place or self._file}"), markup=False
            )
        yield Static(_plain(field.told), classes="kind", markup=False)
        yield ChangingText("", id=f"wrong-{number}", classes="wrong", markup=False)

    def on_mount(self) -> None:
        """The first field has the focus."""
        first = next(iter(self.query(Input)), None)
        if first is not None:
            self.set_focus(first, scroll_visible=False)  # it is at the top, and nothing is laid out yet

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """A field is shown whole: what it is for as well."""
        field = event.widget.parent
        if isinstance(field, Vertical):
            self.call_after_refresh(field.scroll_visible, animate=False)

    @on(Input.Changed)
    def _changed(self, message: Input.Changed) -> None:
        self._say_what_is_wrong()

    @on(Input.Submitted)
    def _submitted(self, message: Input.Submitted) -> None:
        self.focus_next(Input)

    def _say_what_is_wrong(self) -> bool:
        """Whether anything is; it is said at the field."""
        wrong = False
        for number, field in self._edited():
            told = ""
            dotted = self._dotted(field)
            try:
                parsed(field.setting, self._text(number), dotted)
            except ConfigError as error:
                told, wrong = f"✗ {str(error).removeprefix(f'{dotted} ')}", True
            self.query_one(f"#wrong-{number}", ChangingText).update(_plain(told))
        return wrong

    def _edited(self) -> list[tuple[int, Field]]:
        return [(number, field) for number, field in enumerate(self._fields) if field.is_editable]

    def _text(self, number: int) -> str:
        return self.query_one(f"#field-{number}", Input).value

    def _dotted(self, field: Field) -> str:
        return f"plugins.{self._plugin}.{field.setting.name}"

    def action_save(self) -> None:
        """Save what is otherwise than before."""
        if self._say_what_is_wrong():
            self.query_one(Told).tell("Nothing is saved: what is marked is no value of its setting.", grave=True)
            return
        for number, field in self._edited():
            text = self._text(number)
            if text == field.text:
                continue
            try:
                value = parsed(field.setting, text, self._dotted(field))
                write_plugin_setting(self._file, self._plugin, field.setting.name, value)
            except ConfigError as error:
                self.query_one(f"#wrong-{number}", ChangingText).update(_plain(f"✗ {error}"))
                self.query_one(f"#field-{number}").focus()
                self.query_one(Told).tell(str(error), grave=True)
                return
            self._saved.append(field)
            saved = self._fields[number] = Field(field.setting, value, field.origin)
            self.query_one(f"#field-{number}", Input).value = saved.text  # nothing of it would be lost any more
        if self._saved:
            self.dismiss(_told(self._saved, self._file))
        else:
            self.query_one(Told).tell("Nothing is otherwise than before; escape leaves it.")

    def action_leave(self) -> None:
        """Leave it, with what is saved already where not all could be; what was written is not thrown away at the first
        key."""
        if self.may_be_left("escape"):
            self.dismiss(_told(self._saved, self._file) if self._saved else "")

    def unsaved(self) -> Texts:
        """The values that are otherwise than before, by their settings' names."""
        return [
            (self._dotted(field), written.value)
            for number, field in self._edited()
            for written in self.query(f"#field-{number}").results(Input)
            if written.value != field.text
        ]


def _told(saved: list[Field], file: Path) -> str:
    names = ", ".join(field.setting.name for field in saved)
    stronger = [f"{f.setting.name} ({f.origin})" for f in saved if f.origin.source not in ("default", "user file")]
    other = f" Here another value stands before it: {', '.join(stronger)}." if stronger else ""
    return f"Saved in {file}: {names}.{other}"


def _plain(text: str) -> Content:
    return Content(clean_line(text))
