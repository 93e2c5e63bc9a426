"""The sessions of the project: found by words, opened, starred, deleted and taken back."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, Input

from treadle.core.errors import TreadleError
from treadle.core.store.session_finder import SessionRow
from treadle.core.store.store import Store
from treadle.tui.screen.control import Control
from treadle.tui.screen.header import Facts, Header
from treadle.tui.screen.layout import Glyphs, rows_of
from treadle.tui.screen.row_view import RowView
from treadle.tui.screen.told import Told
from treadle.tui.story.line import Line, State, detail

MOST = 500
"""Sessions that are listed; words find the others."""

_STATES: dict[str, State] = {
    "SOLVED": "ok",
    "UNSOLVED": "failed",
    "OVER_BUDGET": "failed",
    "NEEDS_PERSON": "waits",
    "STOPPED": "stopped",
}


class SessionsScreen(Screen[str | None]):
    """Answers with the id of the session that the person opens, None when they go back."""

    DEFAULT_CSS = """
    SessionsScreen RowView { height: 1fr; padding: 0 1; }
    SessionsScreen Input { border: round $border-blurred; }
    SessionsScreen Input:focus { border: round $border; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open"),
        Binding("s", "star", "Star"),
        Binding("x", "delete", "Delete"),
        Binding("z", "undelete", "Undo the deletion"),
        Binding("slash", "search", "Search"),
        Binding("escape", "back", "Back"),
    ]

    def __init__(self, control: Control, glyphs: Glyphs) -> None:
        super().__init__()
        self._control = control
        self._glyphs = glyphs
        self._found: dict[str, SessionRow] = {}
        self._lines: list[Line] = []
        self._deleted: list[str] = []

    def compose(self) -> ComposeResult:
        """The search, and what it finds."""
        yield Header(Facts(project=f"{self._control.root.name} · sessions"))
        yield Input(placeholder="Words that a session holds, in its task or in anything that happened", id="words")
        yield RowView(id="found", empty="No sessions here yet. Escape goes back; /fix in the input starts one.")
        yield Told()
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """The list has the focus."""
        self._look()
        self.query_one("#found").focus()

    def on_resize(self, event: events.Resize) -> None:
        """Lay the list out anew."""
        self.call_after_refresh(self._draw)

    @on(Input.Changed)
    def _changed(self, message: Input.Changed) -> None:
        self._look()

    @on(Input.Submitted)
    def _submitted(self, message: Input.Submitted) -> None:
        self.query_one("#found").focus()

    def _look(self) -> None:
        words = self.query_one(Input).value.strip()
        store = self._control.project.store
        try:
            if words:
                hits = store.search(words, MOST)
                rows = [(hit.session, hit.excerpt) for hit in hits]
            else:
                rows = [(row, "") for row in store.sessions(MOST)]
        except TreadleError as error:
            self._tell(str(error), grave=True)
            return
        self._found = {row.id: row for row, _ in rows}
        self._lines = [_told(row, store, excerpt) for row, excerpt in rows]
        self._draw()

    def _draw(self) -> None:
        view = self.query_one("#found", RowView)
        width = view.scrollable_content_region.width or self.app.size.width
        view.show(rows_of(self._lines, width, lambda line: True, self._glyphs))

    # ------------------------------------------------------------ what the person wants

    @property
    def _chosen(self) -> SessionRow | None:
        line = self.query_one("#found", RowView).line
        return self._found.get(line.key.partition("/")[0]) if line is not None else None

    @on(RowView.Toggled)
    def _opened(self, message: RowView.Toggled) -> None:
        message.stop()
        self.action_open()

    def action_open(self) -> None:
        """Open the session on which the cursor stands."""
        if self._chosen is not None:
            self.dismiss(self._chosen.id)

    def action_star(self) -> None:
        """Keep it for good, or no longer than others."""
        if row := self._chosen:
            name, on = row.id, not row.starred
            self._change(lambda store: store.star(name, on))

    def action_delete(self) -> None:
        """Delete it; it can be taken back."""
        name = self._chosen.id if self._chosen is not None else ""
        if name and self._change(lambda store: store.delete(name)):
            self._deleted.append(name)
            self._tell(f"Session {name} is deleted; z takes that back.")

    def action_undelete(self) -> None:
        """Take the last deletion back."""
        if self._deleted:
            name = self._deleted.pop()
            self._change(lambda store: store.undelete(name))
            self._tell(f"Session {name} is back.")

    def _change(self, change: Callable[[Store], object]) -> bool:
        try:
            change(self._control.project.store)
        except TreadleError as error:
            self._tell(str(error), grave=True)
            return False
        self._look()
        return True

    def action_search(self) -> None:
        """To the words that are looked for."""
        self.query_one(Input).focus()

    def action_back(self) -> None:
        """Back to the session."""
        if self.focused is self.query_one(Input):
            self.query_one("#found").focus()
        else:
            self.dismiss(None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what is possible now is offered."""
        if action in ("open", "star", "delete"):
            return bool(self._lines)
        return action != "undelete" or bool(self._deleted)

    def _tell(self, text: str, *, grave: bool = False) -> None:
        self.query_one(Told).tell(text, grave=grave)
        self.refresh_bindings()


def _told(row: SessionRow, store: Store, excerpt: str) -> Line:
    running = store.is_locked(row.id)
    state: State = "running" if running else _STATES.get(row.state, "stopped")
    word = "running" if running else "interrupted" if row.active else row.state.lower().replace("_", " ")
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(row.started))
    star = "★ " if row.starred else ""
    below = [detail(f"{row.id}/excerpt", excerpt)] if excerpt else []
    title = f"{star}{row.title}"
    return Line(row.id, "detail", title, state, f"{word} · {when} · {row.task.kind} · {row.id}", children=below)
