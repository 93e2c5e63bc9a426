"""A part of the screen that breaks: it is told and made anew, and the session goes on."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual import events
from textual.screen import Screen
from textual.widgets import TextArea
from textual.worker import WorkerState

from tests.tui.screen.screen_driver import Driven, drive
from treadle.core.events import Event
from treadle.core.places import Places
from treadle.core.records import Lesson
from treadle.tui.control.mailbox import Began, Notice, Rested
from treadle.tui.pages.memory import LessonEditor
from treadle.tui.pages.value_dialog import ValueDialog
from treadle.tui.screen.app import MOST_CRASHES, WITHIN_S, TreadleApp
from treadle.tui.screen.edit_screen import EditScreen
from treadle.tui.screen.session_screen import SessionScreen
from treadle.tui.story.story import Story
from treadle.tui.widgets.prompt import Prompt
from treadle.tui.widgets.row_view import RowView


def breaks_once(monkeypatch: pytest.MonkeyPatch, owner: type, name: str) -> list[str]:
    """The method of that name raises when it is called next, and works again after that."""
    works = getattr(owner, name)
    broken: list[str] = []

    def method(self: object, *args: object, **kwargs: object) -> object:
        if not broken:
            broken.append(name)
            raise RuntimeError("it [broke] here")
        return works(self, *args, **kwargs)

    monkeypatch.setattr(owner, name, method)
    return broken


async def draw_again(screen: Driven) -> None:
    screen.app.session_screen.pane("activity").refresh()


async def turn(screen: Driven) -> None:
    screen.app.session_screen.pane("activity").focus()
    screen.app.post_message(events.Key("enter", None))


async def write(screen: Driven) -> None:
    screen.app.session_screen.prompt.focus()
    screen.app.post_message(events.Key("x", "x"))


async def resize(screen: Driven) -> None:
    await screen.pilot.resize_terminal(110, 31)


async def open_all(screen: Driven) -> None:
    screen.app.post_message(events.Key("ctrl+o", None))


@pytest.mark.parametrize(
    ("owner", "name", "happens"),
    [
        (RowView, "render_line", draw_again),
        (RowView, "action_turn", turn),
        (Prompt, "_on_key", write),
        (SessionScreen, "draw", open_all),
        (SessionScreen, "on_resize", resize),
        (Story, "fold", open_all),
    ],
)
def test_what_breaks_is_told_and_the_session_goes_on(
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    owner: type,
    name: str,
    happens: Callable[[Driven], Awaitable[None]],
) -> None:
    async def play(screen: Driven) -> None:
        await screen.send("/fix")
        await screen.shows("Tests as they are")
        broken = breaks_once(monkeypatch, owner, name)
        await happens(screen)
        await screen.until(lambda: broken)
        await screen.shows("was made anew", "RuntimeError: it [broke] here")
        await screen.shows("Fixed: stats.py")
        await screen.until(lambda: screen.app.session_screen.can("accept"))
        await screen.send("/accept")
        await screen.shows("✓ Applied")

    drive(project, play, survives=True)


def logged(home: Path) -> str:
    return "".join(file.read_text() for file in home.rglob("*.jsonl"))


def test_a_screen_that_breaks_again_and_again_is_given_up(
    project: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken: list[object] = []

    def breaks(self: object, *args: object) -> None:
        broken.append(self)
        raise RuntimeError("always")

    async def play(screen: Driven) -> None:
        monkeypatch.setattr(Prompt, "action_new_line", breaks)
        screen.app._crashes = [time.monotonic() - WITHIN_S - 1.0] * MOST_CRASHES  # long ago: these count no more
        for number in range(1, MOST_CRASHES + 2):
            screen.app.session_screen.prompt.focus()
            screen.app.post_message(events.Key("ctrl+j", None))
            await screen.until(lambda: len(broken) == number)  # noqa: B023 - it is awaited in the same round
            await screen.until(lambda: screen.app.crash or screen.app.session_screen.is_mounted)
        await screen.until(lambda: screen.app.crash)

    with pytest.raises(RuntimeError, match="always"):
        drive(project, play, survives=True)
    assert len(broken) == MOST_CRASHES + 1
    assert logged(home).count("RuntimeError: always") == len(broken), "also the one for which it was given up"


def test_what_has_come_behind_what_breaks_is_heard_all_the_same(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(screen: Driven) -> None:
        await screen.until(lambda: screen.app.session_screen.is_mounted)
        broken = breaks_once(monkeypatch, SessionScreen, "_show_session")
        for mail in (Began("2026-01-01-abcd"), Notice("This came behind it."), Rested("", "and so did this")):
            screen.app.mailbox.put(mail)
        await screen.until(lambda: broken)
        await screen.shows("This came behind it.", "and so did this", "was made anew")

    drive(project, play, survives=True)


def test_the_new_screen_shows_the_session_before_it_hears_of_it(
    solved_here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[str] = []
    mounted = SessionScreen.on_mount

    def on_mount(self: SessionScreen) -> None:
        mounted(self)
        self.treadle.hear()  # as may be at any moment

    async def play(screen: Driven) -> None:
        screen.app.session_screen.open_session("last")
        await screen.shows("Fixed: stats.py")
        session = screen.app.session_screen.story.session  # type: ignore[union-attr]
        monkeypatch.setattr(screen.app, "call_the_person", called.append)
        monkeypatch.setattr(SessionScreen, "on_mount", on_mount)
        breaks_once(monkeypatch, Story, "fold")
        screen.app.mailbox.put(Event(session=session, seq=9999, time=0.0, kind="note.left", data={"text": "x"}))
        screen.app.mailbox.put(Rested(session))
        await screen.shows("was made anew")
        await screen.until(lambda: called)

    drive(solved_here, play, survives=True)
    assert called == ["this session is solved"]


def written(app: TreadleApp) -> list[str]:
    """What was kept, in one folder, without the mark that it was told of."""
    return [file.read_text() for file in sorted(Places.find(app.control.root).unsaved.glob("*/[!.]*"))]


async def break_it(screen: Driven, monkeypatch: pytest.MonkeyPatch) -> None:
    breaks_once(monkeypatch, SessionScreen, "hear")
    await screen.until(lambda: "was made anew" in screen.text)


def screens(screen: Driven) -> list[type]:
    return sorted((type(each) for each in screen.app._registry if isinstance(each, Screen)), key=lambda it: it.__name__)


def test_the_screens_that_were_there_are_gone_and_what_was_edited_is_kept(
    solved_here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(screen: Driven) -> None:
        screen.app.session_screen.open_session("last")
        await screen.shows("Fixed: stats.py")
        before = screen.app.session_screen
        await screen.press("escape")
        await screen.press("e")
        await screen.shows("Your change is tried")
        await screen.press(*"#mine")
        await screen.shows("#mine")
        await break_it(screen, monkeypatch)
        await screen.until(lambda: not before.is_running and screens(screen) == [Screen, SessionScreen])
        await screen.shows("What you had changed in the editor is kept")
        await screen.send("/edit")
        await screen.shows("#mine")
        assert isinstance(screen.app.screen, EditScreen)
        await screen.press("escape")
        await screen.shows("You have changed it: escape once more")
        await screen.press("escape")
        await screen.send("/edit")
        await screen.shows("Your change is tried")
        assert "#mine" not in screen.text, "they had left it as it was"

    drive(solved_here, play, survives=True)


def test_who_waits_for_a_screen_that_goes_waits_no_more(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(screen: Driven) -> None:
        await screen.press("f10")
        await screen.shows("approval")
        page = screen.app.screen
        await screen.press("e")
        await screen.until(lambda: isinstance(screen.app.screen, ValueDialog))
        (waits,) = [worker for worker in screen.app.workers if worker.node is page and worker.is_running]
        await screen.press(*"mine")
        await break_it(screen, monkeypatch)
        await screen.shows("What you had written and not saved is kept in")
        await screen.until(lambda: waits.state is WorkerState.CANCELLED)
        assert screens(screen) == [Screen, SessionScreen]

    app = drive(project, play, survives=True)
    assert written(app) == ["mine"]


@pytest.mark.parametrize("is_given_up", [False, True])
def test_all_of_what_was_written_is_kept_in_files(
    project: Path, monkeypatch: pytest.MonkeyPatch, is_given_up: bool
) -> None:
    texts = [f"{word} {'and so on ' * 100}" for word in ("first", "second", "third", "fourth")]
    apps: list[TreadleApp] = []

    async def play(screen: Driven) -> None:
        apps.append(screen.app)
        for text in texts:
            editor = LessonEditor(Lesson(id="i", signature="s", text="old"))
            await screen.app.push_screen(editor)
            editor.query_one(TextArea).text = text
        if is_given_up:
            screen.app._crashes = [time.monotonic()] * MOST_CRASHES
            breaks_once(monkeypatch, SessionScreen, "hear")
            await screen.until(lambda: screen.app.crash)
        else:
            await break_it(screen, monkeypatch)
            await screen.shows("4-lesson", "was made anew")

    with pytest.raises(RuntimeError, match="here") if is_given_up else contextlib.nullcontext():
        drive(project, play, survives=True)
    assert written(apps[0]) == texts


def test_what_is_in_the_input_is_kept_also_where_the_new_screen_breaks(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    apps: list[TreadleApp] = []

    def breaks(self: SessionScreen) -> None:
        raise RuntimeError("it [broke] here")

    async def play(screen: Driven) -> None:
        apps.append(screen.app)
        screen.app.session_screen.prompt.text = "mine"
        screen.app._crashes = [time.monotonic()] * (MOST_CRASHES - 1)
        monkeypatch.setattr(SessionScreen, "on_mount", breaks)
        breaks_once(monkeypatch, SessionScreen, "hear")
        await screen.until(lambda: screen.app.crash)

    with pytest.raises(RuntimeError, match="here"):
        drive(project, play, survives=True)
    assert written(apps[0]) == ["mine"]


@pytest.mark.parametrize("keys", [["up", "up"], ["up", "end", "!"]], ids=["as it was sent", "changed"])
def test_the_input_is_as_it_was(project: Path, monkeypatch: pytest.MonkeyPatch, keys: list[str]) -> None:
    async def play(screen: Driven) -> None:
        before = screen.app.session_screen.prompt
        before.remember(("the first", "the second"))
        await screen.press(*"draft", *keys)
        shown = before.text
        await break_it(screen, monkeypatch)
        prompt = screen.app.session_screen.prompt
        assert prompt is not before
        assert (prompt.text, prompt.cursor_location) == (shown, before.cursor_location)
        await screen.press("down", "down")
        assert prompt.text == "draft"

    drive(project, play, survives=True)


def test_a_session_that_can_not_be_shown_ends_no_screen(solved_here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Path(os.environ["TREADLE_HOME"])

    def breaks(self: object, *args: object) -> None:
        raise RuntimeError("always")

    async def play(screen: Driven) -> None:
        await screen.shows("What should change?")
        monkeypatch.setattr(Story, "fold_all", breaks)
        await screen.press("f3")
        await screen.shows("make the tests pass")
        await screen.press("enter")
        await screen.shows("can't be shown (RuntimeError: always)")
        assert screen.app.session_screen.story is None
        assert "in breaks" in logged(home), "with where it broke"
        await screen.send("/help")
        await screen.shows("What the input takes now")

    assert drive(solved_here, play, survives=True).crash is None


def test_an_event_that_can_not_be_told_takes_a_line_and_no_screen(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        store = screen.app.control.project.store
        session = store.session("last").id
        store.append(session, "note.left", {})
        screen.app.session_screen.open_session(session)
        await screen.shows("This event can't be shown  note.left")
        screen.app.mailbox.put(store.append(session, "plugin.fault", {}))
        await screen.shows("This event can't be shown  plugin.fault")
        screen.app.mailbox.put(store.append(session, "note.left", {"text": "and this one can"}))
        await screen.shows("and this one can")
        assert not screen.app._crashes

    drive(solved_here, play, (120, 40), survives=True)
