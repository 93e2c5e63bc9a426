"""The dialog in which a person decides: exactly what they are asked about, and the answers that there are."""

from __future__ import annotations

import math
import time
from textwrap import wrap
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static

from treadle.core.records import Question
from treadle.tui.asked_about import about_lines
from treadle.tui.safe_text import clean, visible_line
from treadle.tui.widgets.changing_text import ChangingText
from treadle.tui.widgets.layout import ASCII, UNICODE, rows_of
from treadle.tui.widgets.row_view import RowView
from treadle.tui.widgets.unsaved import Texts, Unsaved

NO_ANSWER_S = 0.6
"""Seconds without any letter after which a number is an answer: what comes sooner is text that somebody writes."""


class _About(RowView):
    """What is asked about: all of it stands open."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is nothing to open or to close."""
        return action not in ("turn", "open", "close") and super().check_action(action, parameters)


class QuestionDialog(ModalScreen[tuple[str, str] | None], Unsaved[tuple[str, str] | None]):
    """Answers with the option that the person took and their words for it ("" for none), None when they want to decide
    later. Nothing is taken by itself, and what they are asked about is shown whole, with what a terminal would obey
    made visible."""

    DEFAULT_CSS = """
    QuestionDialog { align: center middle; }
    QuestionDialog > Vertical {
        width: 90%; max-width: 110; height: auto; max-height: 90%; border: round $warning; background: $surface;
        padding: 0 1; overflow-y: auto;
    }
    QuestionDialog Static { height: auto; padding: 1 0; text-style: bold; }
    QuestionDialog RowView { height: auto; max-height: 1fr; }
    QuestionDialog RowView.-empty { display: none; }
    QuestionDialog #answers { height: auto; padding: 1 0 0 0; }
    QuestionDialog Button { min-width: 24; content-align-horizontal: left; text-align: left; }
    QuestionDialog Input { display: none; }
    QuestionDialog Input, QuestionDialog Input:focus { border: round $border; }
    QuestionDialog #told { display: none; padding: 0; text-style: none; color: $text-warning; }
    """
    LOSES = "You have written words for an answer"
    HELP_OF: ClassVar[dict[str, str]] = {
        "": "A question: the number of an answer takes it. Nothing is taken by itself, or by a number in other text."
    }
    AUTO_FOCUS = ""  # see `_to_the_question`
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "later", "Decide later", id="question-later"),
        Binding("down", "app.focus_next", "Next answer", show=False, id="question-next"),
        Binding("up", "app.focus_previous", "Answer before", show=False, id="question-before"),
    ]

    def __init__(self, question: Question, *, ascii_only: bool = False) -> None:
        super().__init__()
        self._question = question
        self._heard_at = math.inf  # nothing answers what nobody can have seen
        self._taken = ""
        self._told = ""
        self._glyphs = ASCII if ascii_only else UNICODE

    def compose(self) -> ComposeResult:
        """The question, what it is about, and the answers."""
        with Vertical():
            yield Static(Content(clean(self._question.text)), markup=False)
            yield _About(id="about").set_class(not self._question.details, "-empty")
            with Vertical(id="answers"):
                for number, option in enumerate(self._question.options, 1):
                    button = Button(Content(f"{number} {visible_line(option)}"), id=f"answer-{number}", compact=True)
                    button.can_focus = True
                    yield button
                yield Button("Later (esc)", id="later", compact=True)
            yield Input(placeholder="Why, or what instead? Or nothing. Enter sends.")
            yield ChangingText(id="told", markup=False)

    def on_mount(self) -> None:
        """Who was pressing keys when it came has not answered it by these."""
        self._heard_at = time.monotonic()
        self._lay_out()
        self._to_the_question()

    def _to_the_question(self) -> None:
        """Neither answer is the easier one: the focus is on what is asked about, and on nothing where the question says
        it all."""
        self.set_focus(self.query_one("#about") if self._question.details else None, scroll_visible=False)

    @property
    def _listens(self) -> bool:
        return time.monotonic() - self._heard_at >= NO_ANSWER_S

    def help_keys(self) -> dict[str, str]:
        """What answers it: each key, and what that stands for."""
        return {str(number): visible_line(option) for number, option in enumerate(self._question.options, 1)}

    def on_resize(self, event: events.Resize) -> None:
        """Lay what it is about out anew."""
        self._lay_out()

    def _lay_out(self) -> None:
        view = self.query_one("#about", RowView)
        lines = about_lines("about", self._question)
        width = max(20, min(110, self.size.width * 9 // 10) - 6)
        rows = rows_of(lines, width, lambda line: False, self._glyphs)
        view.show(rows)
        others = 8 + len(self._question.options) + len(wrap(self._told, width))
        view.styles.height = min(len(rows), max(3, self.size.height * 9 // 10 - others))

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Take that answer."""
        name = event.button.id or ""
        if name == "later":
            self.action_later()
        else:
            self._take(int(name.removeprefix("answer-")))

    def on_key(self, event: events.Key) -> None:
        """A number takes the answer of that number, unless it comes with other text: that was written for something
        else, by somebody who has not seen the question yet. A key that does something here, as one that scrolls, is no
        text."""
        if not event.is_printable or (event.key == "space" and isinstance(self.focused, Button)):
            return
        number = int(event.character) if event.character and event.character.isdecimal() else 0
        if 1 <= number <= len(self._question.options):
            event.stop()
            self._take(number)
        elif event.key not in self.active_bindings:
            self._hear_other_text()

    def _hear_other_text(self, told: str = "") -> None:
        self._heard_at = time.monotonic()
        self.warn(told)

    def _take(self, number: int) -> None:
        if self._taken:
            return
        if not self._listens:
            self._hear_other_text(f"{number} came too soon: once more, after a moment, takes that answer")
            return
        option = self._question.options[number - 1]
        if option not in self._question.with_words:
            if self.may_be_left(str(number)):
                self.dismiss((option, ""))
            return
        self._taken = option
        self.warn("")
        self.query_one("#answers").display = False
        field = self.query_one(Input)
        field.border_title = Content(clean(option))
        field.display = True
        field.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """That answer, with these words."""
        event.stop()
        self.dismiss((self._taken, event.value.strip()))

    def action_later(self) -> None:
        """From the words back to the answers; from these: decide later. Words are not thrown away at the first time."""
        if not self._taken:
            if self.may_be_left("escape (later)"):
                self.dismiss(None)
            return
        self._taken = ""
        self.query_one(Input).display = False
        self.query_one("#answers").display = True
        self._to_the_question()

    def unsaved(self) -> Texts:
        """The words for an answer that is not sent."""
        return [("answer", field.value) for field in self.query(Input) if field.value.strip()]

    def warn(self, text: str) -> None:
        """Tell the person, where they look; "" for nothing any more."""
        self._told = text
        told = self.query_one("#told", ChangingText)
        told.update(Content(text))
        told.display = bool(text)
        self._lay_out()
        if text:
            self.call_after_refresh(told.scroll_visible, animate=False)
