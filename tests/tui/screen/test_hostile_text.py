"""Text that means harm, through every part of the screen that shows what others wrote."""

from __future__ import annotations

import itertools
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.screen import Screen

from tests.tui.screen.screen_driver import Driven, drive
from tests.tui.test_safe_text import CASES, text_of
from treadle.core.patches.diff import Before
from treadle.core.patches.hunks import hunks_of
from treadle.core.records import FileChange, Question
from treadle.tui.safe_text import OBEYED, clean_line, visible
from treadle.tui.screen.code_view import CodeView
from treadle.tui.screen.edit_screen import EditScreen
from treadle.tui.screen.help_screen import HelpScreen
from treadle.tui.screen.hunks_screen import HunksScreen
from treadle.tui.story.as_markdown import as_markdown
from treadle.tui.story.line import Line
from treadle.tui.story.story import Story
from treadle.tui.widgets.header import SessionFacts
from treadle.tui.widgets.layout import UNICODE
from treadle.tui.widgets.question_dialog import QuestionDialog

MARKUP = "[/] [@click=app.quit]press[/] [bold]not[/bold] [red"
TEXTS = [MARKUP, *(text for case in CASES if (text := text_of(case)))]
_OBEYED = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
SIZE = (100, 40)
WIDTHS = st.integers(min_value=24, max_value=120)


def is_safe(screen: Driven) -> None:
    """The screen still stands, and holds nothing that a terminal would obey; no line goes over its edge."""
    assert screen.app.is_running
    assert not _OBEYED.search(screen.text)
    assert all(cell_len(line) <= SIZE[0] for line in screen.text.splitlines())


def squeezed(text: str) -> str:
    """The text without blanks and what frames it: however it was broken into lines, it is the same."""
    return re.sub(r"[\s│╭╮╰╯─▂▃▄▅▆▇█▁]+", "", text)


def on_screens(
    project: Path, made: Callable[[str], Screen[object]], seen: Callable[[Driven, str], Awaitable[None]]
) -> None:
    """Each text on a screen that is made with it."""

    async def play(screen: Driven) -> None:
        for text in TEXTS:
            screen.app.push_screen(made(text))
            await screen.settle()
            is_safe(screen)
            await seen(screen, text)
            screen.app.pop_screen()
            await screen.settle()

    drive(project, play, SIZE)


def holds(screen: Driven, text: str) -> bool:
    """Whether all of it is shown; combining characters without end are left to the terminal."""
    return "\u0301\u0301" in text or squeezed(text) in squeezed(screen.text)


def test_a_question_shows_all_that_it_is_about(project: Path) -> None:
    async def seen(screen: Driven, text: str) -> None:
        told = squeezed(visible(text))
        assert "\u0301\u0301" in text or not told or squeezed(screen.text).count(told) >= 2, (text, screen.text)

    def question(text: str) -> QuestionDialog:
        return QuestionDialog(Question(id="q", text="May it?", options=("no",), details=(text,), code=(text,)))

    on_screens(project, question, seen)


def test_a_question_and_its_answers_are_shown_as_they_are(project: Path) -> None:
    async def seen(screen: Driven, text: str) -> None:
        assert squeezed(screen.text).count(squeezed(MARKUP)) == (4 if text == MARKUP else 0)
        await screen.press("down", "enter")
        is_safe(screen)

    def question(text: str) -> QuestionDialog:
        return QuestionDialog(
            Question(id="q", text=text or "?", options=(f"{text} yes", text), with_words=(text,), details=(text,))
        )

    on_screens(project, question, seen)


def test_what_is_told_offered_and_on_top_is_shown_as_it_is(project: Path) -> None:
    async def play(screen: Driven) -> None:
        shown = screen.app.session_screen
        for text in TEXTS:
            shown.told.forget()
            shown.tell(text, grave=True)
            shown._completion.offer([(f"@{text}", text)])
            shown.header.tell(replace(shown.header.facts, alerts=(text,) if text != MARKUP else ()))
            shown.header.tell_of(SessionFacts(model=text))
            await screen.settle()
            is_safe(screen)
            if text == MARKUP:
                assert screen.text.count(MARKUP) >= 3

    drive(project, play, SIZE)


def test_help_tells_of_keys_and_of_nothing_else(project: Path) -> None:
    class Odd(Screen[None]):
        HELP_OF = {"": MARKUP}

    async def play(screen: Driven) -> None:
        screen.app.push_screen(HelpScreen(Odd(), UNICODE))
        await screen.pilot.pause()
        is_safe(screen)

    drive(project, play, SIZE)


class AsItWas(Before):
    """A project with one file of one line."""

    def exists(self, path: str) -> bool:
        return True

    def read(self, path: str) -> bytes:
        return b"one\n"

    def executable(self, path: str) -> bool:
        return False


def changed(text: str) -> tuple[FileChange, ...]:
    return (FileChange(path="a\x1b[2J[/b].py", content=text.encode("utf-8", "replace")),)


def test_the_hunks_show_all_that_they_hold(project: Path) -> None:
    async def seen(screen: Driven, text: str) -> None:
        first = (
            "it is no text" if "\0" in text else visible(re.sub("\r(?!\n)", "\n", text)).split("\n")[0].expandtabs(4)
        )
        assert holds(screen, first), (text, screen.text)

    on_screens(project, lambda text: HunksScreen(hunks_of(changed(text), AsItWas()), UNICODE), seen)


def test_the_text_that_is_edited_is_drawn_without_harm_and_comes_back_as_it_was(project: Path) -> None:
    async def seen(screen: Driven, text: str) -> None:
        edit = screen.app.screen
        assert isinstance(edit, EditScreen)
        assert edit.edited() == changed(text)
        told = "holds control characters" in screen.text or "None of its files is text" in screen.text
        assert told == bool(OBEYED.search(text.replace("\r\n", "\n"))), "what is not shown is said not to be"

    on_screens(project, lambda text: EditScreen(changed(text)), seen)


def diff_of(text: str) -> str:
    lines = text.split("\n")
    added = "".join(f"+{line}\n" for line in lines)
    return f"diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,1 +1,{len(lines)} @@\n-one\n{added}"


def code_rows(text: str, width: int) -> list[str]:
    rows: list[str] = []
    view = CodeView(
        lambda _: (FileChange(path="a.py", content=text.encode("utf-8", "replace")),), UNICODE, ascii_only=False
    )
    view.take(diff_of(text), 1)
    for _ in range(3):
        rows += [row.text for row in view.rows(width)]
        view.next_mode()
    return rows


@pytest.mark.parametrize("text", TEXTS)
def test_the_code_is_shown_whole_in_each_way(text: str) -> None:
    rows = code_rows(text, 2000)
    assert not any(_OBEYED.search(row) for row in rows)
    if text == MARKUP:
        assert "\n".join(rows).count(MARKUP) == 3


@given(st.text(st.characters(codec=None)), WIDTHS)
def test_rows_of_code_fit_and_hold_nothing_that_a_terminal_obeys(text: str, width: int) -> None:
    for row in code_rows(text, width):
        assert cell_len(row) <= width
        assert not _OBEYED.search(row)


@given(st.text(st.characters(codec=None)))
def test_a_session_as_markdown_is_fenced_or_escaped(text: str) -> None:
    told = markdown_of(text)
    assert not OBEYED.search(told)
    assert all(
        line.startswith(("#", "Session ", "- ", "`", "+", "-", " ", "@", "diff ")) or not line
        for line in told.split("\n")
    )


@pytest.mark.parametrize("text", TEXTS)
def test_hostile_text_is_no_markup_of_markdown(text: str) -> None:
    told = markdown_of(text)
    assert not OBEYED.search(told)
    title = told.split("\n", 1)[0].removeprefix("# ")
    assert re.sub(r"\\(.)", r"\1", title) == (clean_line(text) or "Session")
    assert not re.search(r"(?<!\\)[\[\]<>*_]", title)


def markdown_of(text: str) -> str:
    story = Story(NothingKept(), root=Line("task", "task", text, "ok"), session="s", diff=diff_of(text))
    story.root.children = [Line("e", "event", text, "said", text)]
    return as_markdown(story)


class NothingKept:
    def event(self, seq: int) -> None:
        return None

    def output(self, ref: str) -> str | None:
        return None


def test_what_has_no_room_on_top_is_left_out(project: Path) -> None:
    async def play(screen: Driven) -> None:
        header = screen.app.session_screen.header
        for text, seconds in itertools.product((MARKUP * 9, "x" * 300), (None, 1.0)):
            header.tell(replace(header.facts, branch=text, machine=""))
            header.tell_of(SessionFacts(model=text, seconds=seconds))
            await screen.settle()
            assert screen.text.startswith(" treadle")
            is_safe(screen)

    drive(project, play, SIZE)
