"""The search in a pane: words, and enter goes from one place to the next."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Input

from treadle.tui.widgets.row_view import RowView


class FindBar(Horizontal):
    """Shown while somebody looks for something. It is there before that, so that the first letter is for it."""

    DEFAULT_CSS = """
    FindBar { height: 3; display: none; }
    FindBar Input { border: round $border; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "End the search", id="find-leave"),
        Binding("down", "next(1)", "Next", id="find-next"),
        Binding("up", "next(-1)", "Before", id="find-before"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._pane: RowView | None = None

    def compose(self) -> ComposeResult:
        """The words."""
        yield Input(placeholder="Find in this pane: enter goes to the next place, escape ends it", id="words")

    def begin(self, pane: RowView, words: str = "") -> None:
        """Look for words in that pane, "": for those of the last time."""
        if not self.query(Input):  # it was asked for before it stands
            self.call_after_refresh(self.begin, pane, words)
            return
        self._pane = pane
        self.display = True
        field = self.query_one(Input)
        field.value = words or field.value
        self.screen.set_focus(field)
        if field.value:
            self._look(pane.cursor - 1)

    @on(Input.Changed)
    def _changed(self, message: Input.Changed) -> None:
        message.stop()
        if self.display and self._pane is not None:
            self._look(self._pane.cursor - 1)

    @on(Input.Submitted)
    def _submitted(self, message: Input.Submitted) -> None:
        message.stop()
        self.action_next(1)

    def action_next(self, step: int) -> None:
        """To the next place, or the one before."""
        if self._pane is not None:
            self._look(self._pane.cursor, step)

    def _look(self, after: int, step: int = 1) -> None:
        assert self._pane is not None
        found = self._pane.look_for(self.query_one(Input).value, after=after, step=step)
        self.query_one(Input).border_subtitle = "" if found else "not found in what is open"

    def action_leave(self) -> None:
        """End the search, and go back to where it was."""
        self.display = False
        if self._pane is not None:
            self._pane.look_for("")
            self._pane.focus()
