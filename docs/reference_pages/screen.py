"""The page of the full screen: its keys, and the commands that its input takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.binding import Binding, BindingType

from reference_pages.markdown import code, table
from treadle.tui.pages.sessions import SessionsPage
from treadle.tui.screen.actions import ACTIONS
from treadle.tui.screen.app import TreadleApp
from treadle.tui.screen.edit_screen import EditScreen
from treadle.tui.screen.session_screen import SessionScreen
from treadle.tui.widgets.prompt import Prompt
from treadle.tui.widgets.question_dialog import QuestionDialog
from treadle.tui.widgets.row_view import RowView

_PLACES: tuple[tuple[str, Sequence[BindingType]], ...] = (
    ("everywhere", TreadleApp.BINDINGS),
    ("the session", SessionScreen.BINDINGS),
    ("a pane", RowView.BINDINGS),
    ("the input", Prompt.BINDINGS),
    ("a question", QuestionDialog.BINDINGS),
    ("the list of sessions", SessionsPage.BINDINGS),
    ("the editor", EditScreen.BINDINGS),
)


def screen() -> Iterator[str]:
    yield "# The full screen"
    yield (
        "`treadle` alone opens it, in a terminal. It shows a session as its event log tells it, one line a stage, and "
        "nothing is changed before you accept it. [Your first session](../tutorial/first-session.md) walks through it."
    )
    yield (
        "A line opens to what is behind it. That of tests that run opens to the last lines that they have printed, as "
        "they come: secrets are taken out of them, so a line that has not ended yet waits for its end."
    )
    yield "## Keys"
    yield "Only what leads somewhere at the moment is offered at the foot of the screen."
    rows = [
        (place, code(each.key.replace(",", ", ")), each.description)
        for place, bindings in _PLACES
        for each in bindings
        if isinstance(each, Binding)
    ]
    yield table(("where", "key", "what it does"), rows)
    yield "## What the input takes"
    yield (
        "A task in words, which a language model does (`treadle run`), or one of these. `//` begins a task that begins "
        "with a slash."
    )
    rows = [(code(f"/{action.name} {action.takes}".strip()), action.what) for action in ACTIONS]
    yield table(("command", "what it does"), rows)
