"""Finding, opening, starring and deleting sessions on the screen."""

from __future__ import annotations

from pathlib import Path

from tests.tui.resting import asking, rests
from tests.tui.screen.screen_driver import Driven, drive, narrow_and_wide
from treadle.tui.pages.sessions import SessionsPage
from treadle.tui.widgets.question_dialog import QuestionDialog


@narrow_and_wide
def test_an_earlier_session_looks_as_it_did_and_can_be_accepted(solved_here: Path, size: tuple[int, int]) -> None:
    async def play(screen: Driven) -> None:
        await screen.press("f3")
        await screen.shows("make the tests pass  solved", " · fix ·", "⏎ Open")
        await screen.press("slash")
        await screen.until(lambda: "⏎ Open" not in screen.text)
        await screen.press("enter", "enter")
        await screen.shows("Tests as they are", "Attempt 1", "Fixed: stats.py", "a Accept")
        await screen.shows("/accept applies this change")
        await screen.press("a")
        await screen.shows("✓ Applied")
        assert "/accept applies this change" not in screen.text

    drive(solved_here, play, size)


@narrow_and_wide
def test_a_session_is_found_by_what_happened_in_it(solved_here: Path, size: tuple[int, int]) -> None:
    async def play(screen: Driven) -> None:
        await screen.press("f3")
        await screen.shows("make the tests pass")
        await screen.press("slash", *"arithmetic")
        await screen.shows("[arithmetic]", "make the tests pass")
        await screen.press(*"xyzzy")
        await screen.until(lambda: "make the tests pass" not in screen.text)

    drive(solved_here, play, size)


@narrow_and_wide
def test_it_is_starred_deleted_and_taken_back(solved_here: Path, size: tuple[int, int]) -> None:
    async def play(screen: Driven) -> None:
        await screen.press("f3")
        await screen.shows("make the tests pass")
        await screen.press("s")
        await screen.shows("★ make the tests pass")
        await screen.press("x")
        await screen.shows("is deleted; z takes that back", "No sessions here yet", "z Undelete")
        await screen.press("z")
        await screen.shows("★ make the tests pass", "is back")
        assert "is deleted" not in screen.text
        await screen.press("escape")
        await screen.shows("What should change?")

    drive(solved_here, play, size)


def test_what_is_deleted_is_shown_no_more_and_can_be_taken_back_later(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        shown = screen.app.session_screen
        shown.open_session("last")
        await screen.press("escape")
        await screen.shows("a Accept")
        await screen.press("f3")
        await screen.shows("make the tests pass")
        await screen.press("x")
        await screen.shows("is deleted; z takes that back")
        await screen.press("escape")
        await screen.shows("is deleted; z in the list of sessions takes that back.")
        assert shown.story is None
        assert "a Accept" not in screen.text
        await screen.press("f3")
        await screen.shows("No sessions here yet")
        await screen.press("z")
        await screen.shows("make the tests pass", "is back")

    drive(solved_here, play)


def test_what_is_being_taken_back_is_not_taken_back_once_more(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        await screen.press("f3")
        await screen.shows("make the tests pass")
        await screen.press("x")
        await screen.shows("is deleted; z takes that back")
        page = screen.app.screen
        assert isinstance(page, SessionsPage)
        page.action_undelete()
        assert not page.check_action("undelete", ())
        await screen.shows("make the tests pass", "is back")

    drive(solved_here, play)


def test_a_copy_that_rests_on_a_question_asks_it(project: Path, home: Path) -> None:
    rests(project, home, asking("setup.cfg: a dependency"))

    async def play(screen: Driven) -> None:
        def asks() -> bool:
            return isinstance(screen.app.screen, QuestionDialog)

        await screen.press("f3")
        await screen.shows("tidy the readers", "f Fork")
        await screen.press("enter")
        await screen.shows("r Go on")
        assert not asks(), "who looks at one is not asked"
        await screen.send("/fork")
        await screen.until(asks)
        await screen.press("escape")
        await screen.shows("It waits for your answer")
        await screen.press("f3")
        await screen.shows("forked from")
        await screen.press("enter")
        await screen.shows("Forked", "r Go on")
        await screen.settle()
        assert not asks(), "nor who looks at a copy"
        await screen.press("f3")
        await screen.shows("forked from")
        await screen.press("end", "f")
        await screen.until(asks)
        assert len(screen.app.control.project.store.sessions()) == 3

    drive(project, play)


def test_one_is_forked_and_the_copy_opens(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        await screen.press("f3")
        await screen.shows("make the tests pass  solved", "f Fork")
        (original,) = screen.app.control.project.store.sessions()
        await screen.press("f")
        await screen.shows(f"Forked  a copy of session {original.id}", "Fixed: stats.py", "a Accept")
        await screen.press("a")
        await screen.shows("✓ Applied")
        copy, same = screen.app.control.project.store.sessions()
        assert (copy.parent, same) == (original.id, original)
        await screen.press("f3")
        await screen.shows(f"{copy.id} · forked from {original.id}")
        await screen.press("down", "enter")
        await screen.shows("Fixed: stats.py")
        await screen.until(lambda: "Forked" not in screen.text)
        await screen.send("/fork")
        await screen.shows(f"a copy of session {original.id}, which stays as it is.", "Forked")
        assert len(screen.app.control.project.store.sessions()) == 3

    drive(solved_here, play, (160, 40))
