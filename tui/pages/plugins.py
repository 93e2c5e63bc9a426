"""The plugins of the project: what each is and did, switched on and off, set, and the panels that they bring."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.worker import get_current_worker

from treadle.core.contributions import Contribution, View, kind_of
from treadle.core.errors import TreadleError
from treadle.core.plugin_host.plugin_manager import PluginInfo
from treadle.core.plugin_use import with_use
from treadle.core.records import Question
from treadle.tui.control.control import Control
from treadle.tui.control.outside_session import outside_session
from treadle.tui.pages.page import Found, Page, fitting
from treadle.tui.pages.plugin_settings import SettingsForm, fields_of
from treadle.tui.plugin_card import facts_of, roles_of, setting_meaning, setting_shown
from treadle.tui.plugin_switching import Wanted, switch_off, switch_on, wanted
from treadle.tui.story.line import Line, State, detail, text_lines
from treadle.tui.view_text import lines_of
from treadle.tui.widgets.layout import ASCII, Glyphs
from treadle.tui.widgets.question_dialog import QuestionDialog

if TYPE_CHECKING:
    from treadle.core.plugin_host.state import PluginStates
    from treadle.core.project import Project

GRANT, LEAVE = "Grant it", "Leave it off"
_STATES: dict[str, State] = {"enabled": "ok", "disabled": "stopped", "untrusted": "waits"}
_LABEL = 8
_WIDEST = 24
_FEW = 3


class PluginsPage(Page):
    """Answers with nothing: what is done here is done."""

    NAME = "plugins"
    EMPTY = "No plugin holds these words. Escape, twice, goes back."
    SEARCHES = "Words of a plugin: its name, its hooks, what it brings"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "switch(False)", "On/off here", id="plugins-switch-project"),
        Binding("u", "switch(True)", "For all", id="plugins-switch-user"),
        Binding("e", "set", "Settings", id="plugins-set"),
    ]

    def __init__(self, control: Control, glyphs: Glyphs) -> None:
        super().__init__(control, glyphs)
        self._panels: dict[str, list[Line]] = {}

    # ------------------------------------------------------------ what it shows

    def read(self, project: Project, words: str) -> Found:
        """The plugins in the order in which hooks ask them, those of the person's own last."""
        manager = project.plugins_at_any_rate()
        infos = {_key(each): each for each in with_use(manager.plugins(), project.store)}
        events = project.store.events_of(("plugin.fault",))
        faults = {str(event.data.get("plugin")): str(event.data.get("error")) for event in events}
        width = min(_WIDEST, max(len(each.name) for each in infos.values()))
        lines = []
        for info in infos.values():
            values = manager.settings_of(info.name) if info.settings else {}
            line = plugin_line(info, project.plugin_states, values, faults.get(info.name, ""), width)
            line.children += [self._panel(each) for each in info.contributions if kind_of(each) == "panel"]
            lines.append(line)
        return Found(fitting(lines, words), infos)

    def _panel(self, panel: Contribution) -> Line:
        """A panel, which is asked for when somebody opens it: its plugin may take its time."""
        line = detail(f"panel.{panel.name}", f"panel {panel.name}", result=panel.summary)
        line.tell(lambda: self._panels.get(line.key) or [detail(f"{line.key}.asked", "It is being asked…", "running")])
        return line

    def draw(self) -> None:
        """Draw the lines as they are open, and ask the panels among them that nobody has asked yet."""
        super().draw()
        for line in self.lines:
            for below in line.children if self._openings.is_open(line) else ():
                asked = below.key in self._panels or not below.key.startswith("panel.")
                if not asked and self._openings.is_open(below):
                    self._panels[below.key] = []
                    self._ask_panel(below.key)

    @work(thread=True)
    def _ask_panel(self, key: str) -> None:
        name = key.removeprefix("panel.")
        try:
            with self.control.using() as project, outside_session(project, self._note) as context:
                view: View | None = context.run("panel", name, {})
        except TreadleError as error:
            lines = [detail(f"{key}.error", str(error), "failed")]
        else:
            lines = panel_lines(key, view)
        self.in_app(self._show_panel, key, lines)

    def _show_panel(self, key: str, lines: list[Line]) -> None:
        if not self.is_there:
            return
        self._panels[key] = lines
        asked = [below for line in self.lines for below in line.children if below.key == key]
        for line in asked:
            line.tell(lambda: lines)
        self.draw()
        for line in asked:
            self.show_whole(line)

    def _note(self, text: str) -> None:
        self.in_app(self.tell, text)

    def action_read_again(self) -> None:
        """Read the lines anew, and ask the open panels again."""
        self._panels.clear()
        super().action_read_again()

    # ------------------------------------------------------------ switching

    @property
    def info(self) -> PluginInfo | None:
        """The plugin on which the cursor stands."""
        return self.about.get(self.line.key) if self.line is not None else None

    def action_switch(self, user: bool) -> None:
        """Switch it on or off, for this project or for all of the person's; they are asked where it wants something."""
        if self.info is not None:
            switch, group = partial(self._switch, self.info, user), f"switching {self.info.name}"
            self._shown_in.run_worker(switch, thread=True, exclusive=True, group=group)

    def _switch(self, info: PluginInfo, user: bool) -> None:
        worker = get_current_worker()
        try:
            with self.control.using() as project:
                asked = None if is_on(info, project.plugin_states) else wanted(project, info.name, user=user)
        except TreadleError as error:
            self.in_app(self.tell, str(error), grave=True)
            return
        if worker.is_cancelled:  # the key was pressed once more
            return
        if asked is None:
            self.in_app(self.do, lambda project: self._switched(switch_off(project, info.name, user=user)))
        elif asked.asks:
            self.in_app(self._ask_for, asked, user)
        else:
            self.in_app(self._switch_on, asked, user)

    def _switch_on(self, plugin: Wanted, user: bool) -> None:
        self.do(lambda project: self._switched(switch_on(project, plugin, user=user)))

    def _ask_for(self, plugin: Wanted, user: bool) -> None:
        """Switch it on once the person grants what it asks for. Nobody waits for that: the dialog may be taken away."""
        if not self.is_there:
            self.tell(f"{plugin.name} stays off: it wants something that you are asked about on the page of plugins.")
            return

        def decided(answer: tuple[str, str] | None) -> None:
            if answer is not None and answer[0] == GRANT:
                self._switch_on(plugin, user)

        where = "all your projects" if user else "this project"
        question = Question(
            id="grant",
            text=f"The plugin {plugin.name} wants to do this, in {where}:",
            options=(GRANT, LEAVE),
            details=plugin.asks,
        )
        self._shown_in.push_screen(QuestionDialog(question, ascii_only=self._glyphs is ASCII), decided)

    def _switched(self, told: list[str]) -> str:
        self._panels.clear()
        if not self.control.reload():
            told.append("The session at work goes on as it began; this holds from the next one on.")
        return " ".join(told)

    # ------------------------------------------------------------ settings

    def action_set(self) -> None:
        """Change its settings."""
        info = self.info
        if info is None:
            return
        if not info.settings:
            off = info.state != "enabled"
            why = "is off, and says what can be set once it is on" if off else "has nothing that could be set"
            self.tell(f"{info.name} {why}.")
            return
        project = self.control.project  # it is open: the page is read from it
        form = SettingsForm(info.name, fields_of(info, project.settings), project.places.user_config)

        def left(saved: str | None) -> None:
            if saved:
                self.do(lambda project: self._switched([saved]))

        self.app.push_screen(form, left)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what is possible now is offered."""
        if action in ("switch", "set"):
            return bool(self.lines)
        return super().check_action(action, parameters)


def _key(info: PluginInfo) -> str:
    return f"plugin.{info.name}.{info.source}"


def is_on(info: PluginInfo, states: PluginStates) -> bool:
    """Whether it is on by the choices as they are now; what nobody trusts yet is not."""
    choice = states.choice(info.name, built_in=False)
    return info.state != "untrusted" and (choice.enabled if choice.made else info.state != "disabled")


def plugin_line(info: PluginInfo, states: PluginStates, values: Mapping[str, object], fault: str, width: int) -> Line:
    """The plugin, and below it all that is known of it. `values` are its settings as they hold, `fault` its latest;
    names take so many columns."""
    told = " · ".join(filter(None, (f"{info.state}, {_who(info, states)}", roles_of(info))))
    facts = [fact for fact in facts_of(info) if fact[0] != "state"]  # the line itself says that
    below = [_labelled(f"{_key(info)}.{n}", *fact) for n, fact in enumerate(facts)]
    if fault:
        below.append(_labelled(f"{_key(info)}.fault", "fault", fault, "failed"))
    below += _settings(info, values)
    below += _brings(info)
    return Line(_key(info), "run", info.name, _STATES.get(info.state, "failed"), told, children=below, column=width)


def _who(info: PluginInfo, states: PluginStates) -> str:
    """Who said so, or what is wrong with it; and what it is later where that is something else."""
    choice = states.choice(info.name, built_in=False)
    if info.state in ("disabled", "enabled"):
        why = choice.why if choice.made else info.why.partition(": `treadle")[0]
        why = why or ("by default" if info.source == "built-in" else "since you trust it")
    else:
        why = info.why
    later = "on" if is_on(info, states) else "off"
    differs = choice.made and choice.enabled != (info.state != "disabled")
    return f"{why}{f'; {later} from the next session on' if differs else ''}"


def _settings(info: PluginInfo, values: Mapping[str, object]) -> Iterator[Line]:
    told = [f"{setting_shown(each, values)}: {setting_meaning(each)}".rstrip(": ") for each in info.settings]
    return _listed(f"{_key(info)}.settings", "settings", told, "settings")


def _brings(info: PluginInfo) -> Iterator[Line]:
    kinds: dict[str, list[str]] = {}
    for each in info.contributions:
        if (kind := kind_of(each)) != "panel":
            kinds.setdefault(kind, []).append(f"{kind} {each.name}: {each.summary}".rstrip(": "))
    for kind, told in kinds.items():
        yield from _listed(f"{_key(info)}.{kind}", "brings", told, f"{kind}s")


def _listed(key: str, label: str, told: list[str], what: str) -> Iterator[Line]:
    """A few of them as they are, many behind a line that opens."""
    if len(told) <= _FEW:
        for number, text in enumerate(told):
            yield _labelled(f"{key}.{number}", "" if number else label, text)
    else:
        line = _labelled(key, label, f"{len(told)} {what}")
        line.children = [detail(f"{key}.{number}", text) for number, text in enumerate(told)]
        yield line


def _labelled(key: str, label: str, text: str, state: State = "said") -> Line:
    return Line(key, "detail", label, state, text, column=_LABEL)


def panel_lines(key: str, view: View | None) -> list[Line]:
    """What a panel shows, None when its plugin was at fault."""
    if view is None:
        return [detail(f"{key}.fault", "Nothing came of it, for its plugin is at fault", "failed")]
    lines = text_lines(key, "\n".join(lines_of(view)))
    return lines or [detail(f"{key}.empty", "It has nothing to show now")]
