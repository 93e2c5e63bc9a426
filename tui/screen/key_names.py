"""Every key of the screen by the name under which the setting `screen.keys` can give it another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from textual.binding import Binding, BindingType
from textual.keys import Keys, key_to_character

from treadle.core.config.screen_settings import separate_keys
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


_BELOW: Mapping[str, tuple[str, ...]] = {
    "a pane": ("the session", "the hunks", "the help", "a page", *(f"the page of {name}" for name in PAGES)),
    "the input": ("the session",),
    "the search": ("the session",),
    "the text of a lesson": ("a page",),
    **{f"the page of {name}": ("a page",) for name in PAGES},
}
"""Where a key that acts in that place would act as well."""

_TEXT = ("the input", "the search", "the editor", "the value of a setting", "the text of a lesson")
"""Places in which text is written: there a letter is a letter."""

_MODIFIERS = ("ctrl", "shift", "alt", "meta", "super", "hyper")
_NAMED = {key.value.rpartition("+")[2] for key in Keys} | {"plus"}


def wrong(chosen: Mapping[str, str]) -> list[str]:
    """What is to be said of keys that the setting `screen.keys` can't give, or gives to two at once, a sentence
    each."""
    return [*_unknown(chosen), *_impossible(chosen), *_clashing(chosen)]


def _unknown(names: Iterable[str]) -> Iterator[str]:
    known = [each.id or "" for _, each in keys()]
    for name in names:
        if name not in known:
            yield (
                f"the setting screen.keys names {name!r}, which is no key's name; {did_you_mean(name, known)}"
                "the reference of the screen lists them"
            )


def _impossible(chosen: Mapping[str, str]) -> Iterator[str]:
    places = {each.id: place for place, each in keys()}
    for name, given in chosen.items():
        for key in separate_keys(given):
            if not _is_key(key):
                yield f"the setting screen.keys gives {name} {key!r}, which is no key; write it like ctrl+y, f5 or x"
            elif places.get(name) == "anywhere" and key_to_character(key) is not None:
                yield f"the setting screen.keys gives {name} {key!r}, which is text wherever one writes"
            elif places.get(name) in _TEXT and key_to_character(key) is not None:
                yield f"the setting screen.keys gives {name} {key!r}, which is text in {places[name]}; it stays text"


def _clashing(chosen: Mapping[str, str]) -> Iterator[str]:
    """A key that a person gives where another has it: only one of the two can act there."""
    bound = [
        (place, each.id or each.action, key)
        for place, each in keys()
        for key in separate_keys(chosen.get(each.id or "") or each.key)
        if place not in _TEXT or key_to_character(key) is None
    ]
    told: set[frozenset[str]] = set()
    for place, name, key in bound:
        if name not in chosen:
            continue
        for other_place, other, its_key in bound:
            pair = frozenset((name, other))
            if its_key == key and other != name and pair not in told and _meet(place, other_place):
                told.add(pair)
                yield (
                    f"the setting screen.keys gives {name} {key!r}, which {other} has as well; one of them needs "
                    "another key"
                )


def _meet(one: str, other: str) -> bool:
    return "anywhere" in (one, other) or one == other or other in _BELOW.get(one, ()) or one in _BELOW.get(other, ())


def _is_key(key: str) -> bool:
    *modifiers, base = key.split("+")
    return all(each in _MODIFIERS for each in modifiers) and (base in _NAMED or key_to_character(base) is not None)
