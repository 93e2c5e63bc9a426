"""Help on what has the focus: what it is, its keys, and the commands of the input."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from treadle.tui.actions import ACTIONS
from treadle.tui.screen.session_screen import SessionScreen
from treadle.tui.story.line import Line, detail
from treadle.tui.widgets.layout import Glyphs, rows_of
from treadle.tui.widgets.question_dialog import QuestionDialog
from treadle.tui.widgets.row_view import RowView

_WIDEST = 24
"""Cells of a name that make the column of what it does; what is longer has its own place."""


class HelpScreen(ModalScreen[None]):
    """Shown over the screen that it tells of, until the person has read it."""

    DEFAULT_CSS = """
    HelpScreen { align: center middle; }
    HelpScreen > Vertical {
        width: 90%; max-width: 100; height: 90%; border: round $border; background: $surface; padding: 0 1;
    }
    HelpScreen Static { height: auto; padding: 0 0 1 0; text-style: bold; }
    HelpScreen #how { padding: 0; text-style: none; color: $text-muted; }
    HelpScreen RowView { height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,f1,q", "leave", "Close", id="help-leave")]

    def __init__(self, of: Screen[object], glyphs: Glyphs) -> None:
        super().__init__()
        self._title, self._lines = _told(of)
        self._glyphs = glyphs

    def compose(self) -> ComposeResult:
        """What it is about, and the keys."""
        with Vertical():
            yield Static(Content(self._title))
            yield RowView(id="help")
            yield Static(Content("escape closes this"), id="how")

    def on_mount(self) -> None:
        """Its lines can be scrolled."""
        self.query_one("#help").focus()
        self.call_after_refresh(self._draw)

    def on_resize(self) -> None:
        """Lay it out anew."""
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        view = self.query_one("#help", RowView)
        view.show(rows_of(self._lines, view.scrollable_content_region.width or 60, lambda _: True, self._glyphs))

    def action_leave(self) -> None:
        """Close it."""
        self.dismiss(None)


def _told(screen: Screen[object]) -> tuple[str, list[Line]]:
    """What the focus is on, and its keys; on the session's screen also what the input takes."""
    focused = screen.focused
    help_of: dict[str, str] = getattr(screen, "HELP_OF", {})
    about = help_of.get((focused.id or "") if focused is not None else "") or help_of.get("", "")
    own: dict[str, list[str]] = {}
    common: dict[str, list[str]] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        if active.enabled and binding.description and not binding.system:
            # Those of ours have a name, by which they can be given another key; the others are any text field's.
            table = own if binding.id else common
            table.setdefault(binding.description, []).append(screen.app.get_key_display(binding))
    answers: dict[str, str] = screen.help_keys() if isinstance(screen, QuestionDialog) else {}
    parts = [("answers", "What answers it", answers)]
    parts.append(("keys", "Keys that lead somewhere now", {", ".join(keys): what for what, keys in own.items()}))
    if isinstance(screen, SessionScreen):
        told = {action.name: f"/{action.name} {action.takes}".strip() for action in ACTIONS}
        now = {told[action.name]: action.what for action in ACTIONS if screen.can(action.name)}
        later = {told[action.name]: action.what for action in ACTIONS if not screen.can(action.name)}
        parts += [
            ("now", "What the input takes now, besides a task in words", now),
            ("later", "What it takes where there is something to do it to", later),
        ]
    parts.append(("common", "Keys of any text field", {", ".join(keys): what for what, keys in common.items()}))
    return about or "Keys", [detail(key, title, below=_rows(key, table)) for key, title, table in parts if table]


def _rows(key: str, table: dict[str, str]) -> list[Line]:
    width = max((len(name) for name in table if len(name) <= _WIDEST), default=0)
    lines = [detail(f"{key}.{n}", name, result=what) for n, (name, what) in enumerate(table.items())]
    for line in lines:
        line.column = width
    return lines
