"""What is done beside the screen fails, hangs, or comes late: it is told, and the screen is as it was."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import pyperclip
import pytest
from textual import events

from tests.tui.screen.screen_driver import Driven, drive
from treadle.core.errors import StoreError
from treadle.core.records import FileChange
from treadle.tui.screen.edit_screen import EditScreen
from treadle.tui.screen.hunks_screen import HunksScreen


def raises(error: Exception) -> Callable[..., None]:
    def does(*args: object) -> None:
        raise error

    return does


async def at_something(screen: Driven) -> None:
    screen.app.session_screen.in_thread(raises(ValueError("it [broke] here")))
    await screen.shows("That failed (ValueError: it [broke] here)")


async def copying(screen: Driven) -> None:
    screen.app.copy_to_clipboard("text")


async def listing_files(screen: Driven) -> None:
    screen.app.control.files = raises(StoreError("no file can be listed"))  # type: ignore[method-assign]
    await screen.press("@", "s")
    await screen.shows("no file can be listed")


async def measuring(screen: Driven) -> None:
    screen.app._tell_load = raises(ValueError("it is not foreseen"))  # type: ignore[method-assign]
    screen.app._measure()
    await screen.shows("That failed (ValueError: it is not foreseen)")


@pytest.mark.parametrize("fails", [at_something, copying, listing_files, measuring])
def test_what_fails_beside_the_screen_is_told_and_nothing_is_made_anew(
    project: Path, home: Path, monkeypatch: pytest.MonkeyPatch, fails: Callable[[Driven], Awaitable[None]]
) -> None:
    monkeypatch.setattr(pyperclip, "copy", raises(FileNotFoundError("the program for it is gone")))

    async def play(screen: Driven) -> None:
        await screen.shows("What should change?")
        before = screen.app.session_screen
        await fails(screen)
        await screen.until(lambda: not [worker for worker in screen.app.workers if worker.is_running])
        await screen.pilot.pause()
        assert screen.app.crash is None
        assert screen.app.session_screen is before
        assert before.is_running

    assert drive(project, play, survives=True).crash is None
    logged = "".join(file.read_text() for file in home.rglob("*.jsonl"))
    assert ("what the screen was doing failed" in logged) == (fails in (at_something, measuring)), "what nobody foresaw"


@pytest.mark.parametrize(
    ("number", "mend"),
    [
        (errno.ENOSPC, "make room on that disk and try again"),
        (errno.EDQUOT, "delete what you can do without"),
        (errno.EROFS, "mount its file system so that it can be written"),
        (errno.EACCES, "mend the permissions of its folder"),
    ],
)
def test_of_a_disk_that_takes_nothing_more_it_says_what_to_do(project: Path, number: int, mend: str) -> None:
    async def play(screen: Driven) -> None:
        screen.app.session_screen.in_thread(raises(OSError(number, os.strerror(number), "/the/file")))
        await screen.shows(f"/the/file: can't be written ({os.strerror(number)}); {mend}")
        assert "That failed" not in screen.text

    drive(project, play, (140, 30), survives=True)


def test_what_was_sent_for_it_is_given_back(solved_here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("treadle.tui.story.as_markdown.as_markdown", raises(ValueError("of a kind nobody foresaw")))

    async def play(screen: Driven) -> None:
        screen.app.session_screen.open_session("last")
        await screen.shows("Fixed: stats.py")
        await screen.send("/save a.md")
        await screen.shows("of a kind nobody foresaw")
        assert screen.app.session_screen.prompt.text == "/save a.md"

    drive(solved_here, play, survives=True)


class Gate:
    """A session's candidate, which is handed out once somebody lets it."""

    def __init__(self, screen: Driven) -> None:
        self._works = screen.app.control.candidate
        self.asked = 0
        self.opened = threading.Event()
        screen.app.control.candidate = self.candidate  # type: ignore[method-assign]

    def candidate(self, session: str, attempt: int = 0) -> tuple[FileChange, ...]:
        self.asked += 1
        assert self.opened.wait(60)
        return self._works(session, attempt)


@pytest.mark.parametrize(("key", "kind"), [("e", EditScreen), ("m", HunksScreen)])
def test_a_key_that_is_pressed_twice_shows_one_screen(solved_here: Path, key: str, kind: type) -> None:
    async def play(screen: Driven) -> None:
        screen.app.session_screen.open_session("last")
        await screen.shows("Fixed: stats.py")
        await screen.press("escape")
        gate = Gate(screen)
        await screen.press(key, key)
        await screen.until(lambda: gate.asked == 2)
        gate.opened.set()
        await screen.until(lambda: not screen.app.threads.at_work)
        await screen.until(lambda: isinstance(screen.app.screen, kind))
        await screen.pilot.pause()
        assert [type(each) for each in screen.app.screen_stack[2:]] == [kind]

    drive(solved_here, play)


def test_a_screen_that_comes_late_is_shown_over_nothing_else(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        screen.app.session_screen.open_session("last")
        await screen.shows("Fixed: stats.py")
        await screen.press("escape")
        gate = Gate(screen)
        await screen.press("e")
        await screen.until(lambda: gate.asked)
        await screen.press("f1")
        help_screen = screen.app.screen
        gate.opened.set()
        await screen.until(lambda: not screen.app.threads.at_work)
        await screen.pilot.pause()
        assert screen.app.screen is help_screen
        screen.app.post_message(events.Key("escape", None))
        await screen.shows("/edit shows it")

    drive(solved_here, play)
