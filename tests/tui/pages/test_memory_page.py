"""Lessons on the screen: looked through, reworded, forgotten, taken back."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.tui.pages import hostile
from tests.tui.pages.page_driver import drive_page, fits, narrow_and_wide
from tests.tui.screen.screen_driver import Driven
from treadle.core.places import Places
from treadle.core.project import Project
from treadle.core.records import Lesson
from treadle.plugins.memory.lesson_store import LessonStore, Taught
from treadle.plugins.memory.sqlite_lessons import open_file
from treadle.tui.pages.memory import MemoryPage, lesson_line
from treadle.tui.plugin_switching import switch_on, wanted
from treadle.tui.widgets.layout import UNICODE, rows_of

PLUS = Taught("TypeError | spread", "arithmetic", "a plus was a minus", True)
NOTHING = Taught("ValueError | parse", "", "nothing was found in the parser", False)


def lessons_of(project: Path, home: Path) -> LessonStore:
    return open_file(Places(home, project).make().plugin_folder("memory") / "lessons.db")


def teach(project: Path, home: Path, *taught: Taught) -> None:
    store = lessons_of(project, home)
    for number, each in enumerate(taught):
        store.remember(f"t{number}", str(project), (each,), (), time.time() - number)
    store.close()


def test_what_is_being_taken_back_is_not_taken_back_once_more(project: Path, home: Path) -> None:
    teach(project, home, PLUS)

    async def play(screen: Driven) -> None:
        await screen.shows("a plus was a minus")
        await screen.press("x")
        await screen.shows("The lesson is forgotten")
        page = screen.app.screen
        assert isinstance(page, MemoryPage)
        page.action_take_back()
        assert not page.check_action("take_back", ())
        await screen.shows("The lesson is back.")

    drive_page(project, MemoryPage, play)


@narrow_and_wide
def test_one_is_read_whole_reworded_forgotten_and_taken_back(project: Path, home: Path, size: tuple[int, int]) -> None:
    teach(project, home, PLUS, NOTHING)

    async def play(screen: Driven) -> None:
        await screen.shows("✓ helped 1 of 1", "a plus was a minus", "· used once, never helped")
        await screen.press("enter")
        await screen.shows("when      TypeError | spread", "remedy    arithmetic")
        assert fits(screen)
        await screen.press("e")
        await screen.shows("What the next sessions are told", "a plus was a minus")
        await screen.press("end", "exclamation_mark", "ctrl+s")
        await screen.shows("a plus was a minus!", "The lesson has its new words.")
        await screen.press("enter", "x")
        await screen.shows("The lesson is forgotten; z takes that back.")
        await screen.until(lambda: "a plus was" not in screen.text)
        await screen.press("z")
        await screen.shows("a plus was a minus!", "The lesson is back.")

    drive_page(project, MemoryPage, play, size)
    store = lessons_of(project, home)
    assert [each.text for each in store.lessons("MINUS!", 9)] == ["a plus was a minus!"]
    assert "a plus was a minus!" in [each.text for each in store.recall(str(project), "minus", 9)]
    store.close()


def test_a_key_that_is_written_into_a_lesson_is_taken_out_of_it(project: Path, home: Path) -> None:
    teach(project, home, PLUS)

    async def play(screen: Driven) -> None:
        await screen.shows("a plus was a minus")
        await screen.press("e", "end", *" sk-ant-0123456789abc", "ctrl+s")
        await screen.shows("a plus was a minus [key taken out]")

    drive_page(project, MemoryPage, play)
    store = lessons_of(project, home)
    assert [each.text for each in store.lessons("", 9)] == ["a plus was a minus [key taken out]"]
    store.close()


def test_words_find_a_lesson_and_an_empty_memory_says_what_fills_it(project: Path, home: Path) -> None:
    async def empty(screen: Driven) -> None:
        await screen.shows("No lessons. Each session that ends leaves some")

    drive_page(project, MemoryPage, empty)
    teach(project, home, PLUS, NOTHING)

    async def play(screen: Driven) -> None:
        await screen.shows("a plus was a minus", "nothing was found in the parser")
        await screen.press("slash", *"parser")
        await screen.until(lambda: "a plus was a minus" not in screen.text)
        await screen.shows("nothing was found in the parser")

    drive_page(project, MemoryPage, play)


def test_what_is_forgotten_is_recalled_no_more_also_when_it_is_taught_again(project: Path, home: Path) -> None:
    teach(project, home, PLUS)
    store = lessons_of(project, home)
    (lesson,) = store.lessons("", 9)
    assert store.revise(lesson.id, "", forgotten=True)
    store.remember("again", str(project), (PLUS,), (), time.time())
    assert store.lessons("", 9) == store.recall(str(project), "plus", 9) == ()
    assert store.revise(lesson.id, "", forgotten=False)
    assert [each.text for each in store.recall(str(project), "plus", 9)] == [PLUS.text]
    assert not store.revise("nobody's", "x", forgotten=True)
    store.close()


def test_a_text_of_several_lines_keeps_them_and_one_line_is_told_once() -> None:
    def below(text: str) -> list[str]:
        return [line.title for line in lesson_line(Lesson(id="i", signature="s", text=text)).children]

    assert below("one line") == ["when", "remedy"]
    assert below("two\n  lines") == ["when", "remedy", "two", "  lines"]


@pytest.mark.parametrize("text", hostile.texts())
def test_hostile_lessons_are_only_shown(text: str) -> None:
    line = lesson_line(Lesson(id="i", signature=text, text=text, remedy=text))
    shown = "".join(row.text for row in rows_of([line], 80, lambda line: True, UNICODE))
    assert not any(char in shown for char in hostile.OBEYED)


def test_a_hostile_lesson_can_be_read_and_edited(project: Path, home: Path) -> None:
    teach(project, home, *(Taught(f"s{n}", "", text, False) for n, text in enumerate(hostile.texts()[:6])))

    async def play(screen: Driven) -> None:
        await screen.shows("[bold]not[/bold] [red")
        await screen.press("enter", "e")
        await screen.shows("What the next sessions are told", "[bold]not[/bold] [red")
        assert not any(char in screen.text for char in hostile.OBEYED)
        await screen.press("escape")
        await screen.shows("used once, never helped")
        await screen.press("e", "x", "escape")
        await screen.shows("You have changed it: escape once more throws that away", "x[/] [@click")
        await screen.press("y", "escape")
        await screen.shows("xy[/] [@click")
        await screen.press("escape")
        await screen.shows("used once, never helped")

    drive_page(project, MemoryPage, play, (160, 48))


NOTES = """
from treadle import Lesson, hookimpl

KEPT = {"n1": "a note of another memory"}


@hookimpl
def treadle_lessons(words, most):
    return tuple(Lesson(id=i, signature="s", text=text) for i, text in KEPT.items() if words in text)


@hookimpl
def treadle_revise_lesson(lesson, text, forgotten):
    if lesson not in KEPT:
        return None
    KEPT[lesson] = text or KEPT[lesson]
    return True
"""


def test_a_memory_of_another_author_is_looked_through_and_reworded(
    project: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "packages"
    info = folder / "notes-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / "notes_plugin.py").write_text(NOTES)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: notes\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[treadle]\nnotes = notes_plugin\n")
    monkeypatch.syspath_prepend(folder)
    with Project(project) as opened:
        switch_on(opened, wanted(opened, "notes", user=False), user=False)

    async def play(screen: Driven) -> None:
        await screen.shows("a note of another memory")
        await screen.press("e")
        await screen.shows("What the next sessions are told")
        await screen.press("end", "exclamation_mark", "ctrl+s")
        await screen.shows("a note of another memory!", "The lesson has its new words.")

    drive_page(project, MemoryPage, play)


def test_a_lesson_that_is_empty_or_as_it_was_is_not_saved_in_silence(project: Path, home: Path) -> None:
    teach(project, home, Taught("s", "", "  a text with blanks around it\n", False))

    async def play(screen: Driven) -> None:
        await screen.shows("a text with blanks")
        await screen.press("e")
        await screen.shows("What the next sessions are told")
        await screen.press("ctrl+s")
        await screen.shows("Nothing is otherwise than before; escape leaves it.")
        await screen.press("end", *["backspace"] * 40, "ctrl+s")
        await screen.shows("A lesson can't be empty: x in the list forgets it")
        await screen.press("escape", "escape")
        await screen.shows("a text with blanks")

    drive_page(project, MemoryPage, play)
