"""Every key of the screen by the name under which the setting `screen.keys` can give it another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from textual.binding import Binding, BindingType

from treadle.core.nearest import did_you_mean
from treadle.tui.actions import PAGES
from treadle.tui.pages.memory import LessonEditor
from treadle.tui.pages.page import Page
from treadle.tui.pages.plugin_settings import SettingsForm
from treadle.tui.pages.value_dialog import ValueDialog
from treadle.tui.screen.edit_screen import EditScreen
from treadle.tui.screen.find_bar import FindBar
from treadle.tui.screen.help_screen import HelpScreen
from treadle.tui.screen.hunks_screen import HunksScreen
from treadle.tui.screen.pages import page_of
from treadle.tui.screen.session_keys import ANYWHERE
from treadle.tui.screen.session_screen import SessionScreen
from treadle.tui.widgets.prompt import Prompt
from treadle.tui.widgets.question_dialog import QuestionDialog
from treadle.tui.widgets.row_view import RowView


def keys() -> Iterator[tuple[str, Binding]]:
    """Each key, after the place where it acts."""
    places: list[tuple[str, Sequence[BindingType]]] = [
        ("anywhere", ANYWHERE),
        ("the session", SessionScreen.BINDINGS),
        ("a pane", RowView.BINDINGS),
        ("the input", Prompt.BINDINGS),
        ("the search", FindBar.BINDINGS),
        ("a question", QuestionDialog.BINDINGS),
        ("the editor", EditScreen.BINDINGS),
        ("the hunks", HunksScreen.BINDINGS),
        ("the help", HelpScreen.BINDINGS),
        ("a page", Page.BINDINGS),
        ("settings of a plugin", SettingsForm.BINDINGS),
        ("the value of a setting", ValueDialog.BINDINGS),
        ("the text of a lesson", LessonEditor.BINDINGS),
        *((f"the page of {name}", page_of(name).BINDINGS) for name in PAGES),
    ]
    for place, bindings in places:
        for each in bindings:
            if isinstance(each, Binding):
                yield place, each


def unknown(names: Iterable[str]) -> list[str]:
    """What is to be said of names that are none, a sentence each."""
    known = [each.id or "" for _, each in keys()]
    return [
        f"the setting screen.keys names {name!r}, which is no key's name; {did_you_mean(name, known)}"
        "the reference of the screen lists them"
        for name in names
        if name not in known
    ]
