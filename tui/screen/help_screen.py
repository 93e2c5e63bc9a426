"""Help on what has the focus: what it is, its keys, and the commands of the input."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from treadle.tui.screen.actions import ACTIONS, is_possible
from treadle.tui.screen.session_screen import SessionScreen
from treadle.tui.story.line import Line, detail
from treadle.tui.widgets.layout import Glyphs, rows_of
from treadle.tui.widgets.row_view import RowView


class HelpScreen(ModalScreen[None]):
    """Shown over the screen that it tells of, until the person has read it."""

    DEFAULT_CSS = """
    HelpScreen { align: center middle; }
    HelpScreen > Vertical {
        width: 90%; max-width: 100; height: 90%; border: round $border; background: $surface; padding: 0 1;
    }
    HelpScreen Static { height: auto; padding: 0 0 1 0; text-style: bold; }
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
    about = getattr(screen, "HELP_OF", {}).get(focused.id or "" if focused is not None else "", "")
    keys: dict[str, list[str]] = {}
    for active in screen.active_bindings.values():
        if active.enabled and active.binding.description and not active.binding.system:
            keys.setdefault(active.binding.description, []).append(screen.app.get_key_display(active.binding))
    # Escape closes the help; until then the keys are those of what lies below it.
    lines = [detail("keys", "Keys that lead somewhere now (escape closes this help)", below=_rows("key", {
        ", ".join(each): description for description, each in keys.items()
    }))]  # fmt: skip
    if isinstance(screen, SessionScreen):
        at_work = bool(screen.control.working)
        now = {
            f"/{a.name} {a.takes}".strip(): a.what
            for a in ACTIONS
            if is_possible(a.name, screen.story, at_work=at_work)
        }
        later = {f"/{a.name} {a.takes}".strip(): a.what for a in ACTIONS if f"/{a.name} {a.takes}".strip() not in now}
        lines.append(detail("now", "What the input takes now, besides a task in words", below=_rows("now", now)))
        if later:
            lines.append(
                detail("later", "What it takes where there is something to do it to", below=_rows("later", later))
            )
    return about or "Keys", lines


def _rows(key: str, table: dict[str, str]) -> list[Line]:
    width = max((len(name) for name in table if len(name) <= 24), default=0)
    return [detail(f"{key}.{n}", f"{name:<{width}}", result=what) for n, (name, what) in enumerate(table.items())]
