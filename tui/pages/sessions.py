"""The sessions of the project: found by words, opened, starred, deleted and taken back."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import Input

from treadle.core.errors import TreadleError
from treadle.core.store.session_finder import SessionRow
from treadle.core.store.store import Store
from treadle.tui.control.control import Control
from treadle.tui.pages.page import Copy, Found, Page
from treadle.tui.story.line import Line, State
from treadle.tui.widgets.layout import Glyphs

if TYPE_CHECKING:
    from treadle.core.project import Project

MOST = 500
"""Sessions that are listed; words find the others."""

_STATES: dict[str, State] = {
    "SOLVED": "ok",
    "UNSOLVED": "failed",
    "OVER_BUDGET": "failed",
    "NEEDS_PERSON": "waits",
    "STOPPED": "stopped",
}


class SessionsPage(Page):
    """Answers with the id of the session that the person opens, or with the copy that they have made of one."""

    NAME = "sessions"
    EMPTY = "No sessions here yet. Escape goes back; /fix in the input starts one."
    SEARCHES = "Words that a session holds, in its task or in anything that happened"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter", "open", "Open", priority=True, id="sessions-open"
        ),  # before the list's own, which is not shown
        Binding("f", "fork", "Fork", id="sessions-fork"),
        Binding("s", "star", "Star", id="sessions-star"),
        Binding("x", "delete", "Delete", id="sessions-delete"),
        Binding("z", "undelete", "Undelete", id="sessions-undelete"),
    ]

    def __init__(self, control: Control, glyphs: Glyphs) -> None:
        super().__init__(control, glyphs)
        self._deleted = control.taken_away.setdefault(self.NAME, [])

    def read(self, project: Project, words: str) -> Found:
        """The sessions, the latest first; or those that hold the words, the best first."""
        store = project.store
        if words:
            rows = [(hit.session, hit.excerpt) for hit in store.search(words, MOST)]
        else:
            rows = [(row, "") for row in store.sessions(MOST)]
        return Found([_told(row, store, excerpt) for row, excerpt in rows])

    def choose(self, line: Line) -> None:
        """Open the session."""
        self.action_open()

    def action_open(self) -> None:
        """Open the session on which the cursor stands."""
        if self.line is not None:
            self.dismiss(self.line.key)

    def action_fork(self) -> None:
        """Copy the session on which the cursor stands, and open the copy."""
        if self.line is not None:
            name = self.line.key
            self.do(lambda project: self._fork(project, name))

    def _fork(self, project: Project, name: str) -> str:
        self.in_app(self._open, Copy(project.fork(name).id, name))
        return ""

    def _open(self, copy: Copy) -> None:
        if self.is_current:
            self.dismiss(copy)
        else:  # the person has left the page meanwhile
            self.tell(f"{copy.session} is a copy of session {copy.of}; /sessions opens it.")

    def action_star(self) -> None:
        """Keep it for good, or no longer than others."""
        if self.line is not None:
            name = self.line.key
            self.do(lambda project: _starred(project.store, name))

    def action_delete(self) -> None:
        """Delete it; it can be taken back."""
        if self.line is not None:
            name = self.line.key
            self.do(lambda project: self._delete(project.store, name))

    def _delete(self, store: Store, name: str) -> str:
        store.delete(name)
        self._deleted.append(name)
        return f"Session {name} is deleted; z takes that back."

    def action_undelete(self) -> None:
        """Take the last deletion back."""
        name = self._deleted.pop()  # here: a key that is pressed twice takes back two
        self.do(lambda project: self._undelete(project.store, name))

    def _undelete(self, store: Store, name: str) -> str:
        try:
            store.undelete(name)
        except TreadleError:
            self._deleted.append(name)
            raise
        return f"Session {name} is back."

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what is possible now is offered."""
        if action == "open" and isinstance(self.focused, Input):
            return False
        if action in ("open", "fork", "star", "delete"):
            return bool(self.lines)
        return bool(self._deleted) if action == "undelete" else super().check_action(action, parameters)


def _starred(store: Store, name: str) -> str:
    store.star(name, not store.session(name).starred)
    return ""


def _told(row: SessionRow, store: Store, excerpt: str) -> Line:
    running = store.is_locked(row.id)
    state: State = "running" if running else _STATES.get(row.state, "stopped")
    word = "running" if running else "interrupted" if row.active else row.state.lower().replace("_", " ")
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(row.started))
    star = "★ " if row.starred else ""
    origin = f" · replays {row.replays}" if row.replays else ""
    origin = f" · forked from {row.parent}" if row.parent else origin
    result = f"{word} · {when} · {row.task.kind} · {row.id}{origin}"
    return Line(row.id, "detail", f"{star}{row.title}", state, f"{excerpt} · {result}" if excerpt else result)
