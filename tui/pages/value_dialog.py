"""The dialog in which a person writes a value: what it is for, what it takes, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from treadle.core.errors import TreadleError
from treadle.tui.safe_text import clean, clean_line
from treadle.tui.widgets.changing_text import ChangingText
from treadle.tui.widgets.unsaved import Texts, Unsaved


class ValueDialog(ModalScreen[str | None], Unsaved[str | None]):
    """Answers with the text that was written, None when nothing is to be changed. `check` raises `TreadleError` for one
    that will not do."""

    DEFAULT_CSS = """
    ValueDialog { align: center middle; }
    ValueDialog > Vertical {
        width: 90%; max-width: 110; height: auto; max-height: 90%; border: round $primary; background: $surface;
        padding: 0 1;
    }
    ValueDialog Static { height: auto; }
    ValueDialog #name { text-style: bold; }
    ValueDialog #wrong { color: $text-error; }
    ValueDialog Input, ValueDialog Input:focus { border: round $border; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Leave as it was", id="value-leave")]

    def __init__(
        self,
        name: str,
        about: str,
        value: str,
        check: Callable[[str], object],
        typed: str | None = None,
        wrong: str = "",
    ) -> None:
        """`typed` is what was written in its place already, and is `wrong` for this reason."""
        super().__init__()
        self._typed = value if typed is None else typed
        self._wrong = f"✗ {clean_line(wrong)}" if wrong else ""
        self._name_of_it = name
        self._about = about
        self._value = clean_line(value)
        self._check = check

    def compose(self) -> ComposeResult:
        """The name, what it is about, the value, and what is wrong."""
        with Vertical():
            yield Static(Content(clean_line(self._name_of_it)), id="name", markup=False)
            yield Static(Content(clean(self._about)), markup=False)
            yield Input(clean_line(self._typed), id="value")
            yield Static(Content("enter writes it, esc leaves it as it was"), markup=False)
            yield ChangingText(Content(self._wrong), id="wrong", markup=False)

    @on(Input.Submitted)
    def _submitted(self, message: Input.Submitted) -> None:
        message.stop()
        try:
            self._check(message.value)
        except TreadleError as error:
            self._say(f"✗ {clean_line(str(error))}")
            return
        self.dismiss(message.value)

    def _say(self, text: str) -> None:
        self.query_one("#wrong", ChangingText).update(Content(text))

    def action_leave(self) -> None:
        """Leave it as it was; what was written is not thrown away at the first key."""
        if self.may_be_left("esc"):
            self.dismiss(None)

    def unsaved(self) -> Texts:
        """The value that is written, where it is not the one that it had."""
        return [(self._name_of_it, field.value) for field in self.query(Input) if field.value != self._value]

    def warn(self, text: str) -> None:
        """Tell the person, where they look."""
        self._say(text)
