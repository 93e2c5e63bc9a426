"""A session that the screen shows, and what becomes of it elsewhere: in another thread, or in another program."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tui.screen.screen_driver import Driven, drive
from treadle.core.acceptance import cut_off
from treadle.core.conversations import outcome_of
from treadle.core.errors import StoreBusy, UsageError
from treadle.core.project import Project
from treadle.core.records import Outcome, Task
from treadle.tui.control.control import Control
from treadle.tui.control.mailbox import Mailbox, Notice, Rested
from treadle.tui.tasks import fix_task


def outcome(project: Project, session: str) -> Outcome:
    found = outcome_of(project.store.events(session))
    assert found is not None
    return found


def in_another_program(root: Path, do: Callable[[Project, str], object]) -> None:
    """Do it with a project of its own, for its last session."""
    with Project(root) as project:
        do(project, project.store.session("last").id)


def accept(project: Project, session: str) -> None:
    project.acceptance(session).apply(outcome(project, session))


def undo(project: Project, session: str) -> None:
    project.acceptance(session).undo()


# ------------------------------------------------------------ what is wanted while one begins


@pytest.mark.parametrize("is_first", [True, False])
def test_a_session_that_is_stopped_while_it_begins_stops(project: Path, solved_here: Path, is_first: bool) -> None:
    root = project if is_first else solved_here
    begins, go_on = threading.Event(), threading.Event()

    def make(opened: Project) -> Task:
        begins.set()
        assert go_on.wait(30)
        return fix_task(opened)

    with Control(root, Mailbox()).closing() as control:
        before = {row.id: row.state for row in control.project.store.sessions()}
        control.start(make)
        assert begins.wait(30)
        assert control.at_work
        assert control.working == "", "it is none of those that were there before"
        with pytest.raises(UsageError, match="a session is at work"):
            control.start(fix_task)
        control.stop()
        go_on.set()
        assert control.wait(60)
        now = {row.id: row.state for row in control.project.store.sessions()}
        assert [state for session, state in now.items() if session not in before] == ["STOPPED"]
        assert before.items() <= now.items()
        assert not control.at_work


def test_what_is_said_twice_at_once_is_said_once(solved_here: Path) -> None:
    with Control(solved_here, Mailbox()).closing() as control:
        session = control.project.store.session("last").id
        control.speak_against(session, "first words")
        with pytest.raises(UsageError, match="a session is at work"):
            control.speak_against(session, "second words")
        with pytest.raises(UsageError, match="a session is at work"):
            control.answer(session, "go on")
        control.stop()
        assert control.wait(60)
        kinds = [event.kind for event in control.project.store.events(session)]
        assert kinds.count("feedback.given") == 1


def test_what_can_not_be_said_keeps_nothing_else_from_beginning(solved_here: Path) -> None:
    with Control(solved_here, Mailbox()).closing() as control:
        session = control.project.store.session("last").id
        with pytest.raises(UsageError, match="no attempt 9"):
            control.speak_against(session, "", attempt=9)
        assert not control.at_work
        control.start(fix_task)
        control.stop()
        assert control.wait(60)


def test_of_a_session_that_is_at_work_elsewhere_nothing_is_said(solved_here: Path) -> None:
    with Project(solved_here) as other, Control(solved_here, Mailbox()).closing() as control:
        session = other.store.session("last").id
        logged = other.store.last_seq(session)
        with other.store.lock(session):
            with pytest.raises(StoreBusy):
                control.speak_against(session, "otherwise")
            with pytest.raises(StoreBusy):
                control.answer(session, "go on")
        assert other.store.last_seq(session) == logged


# ------------------------------------------------------------ what is half applied


@pytest.mark.parametrize("goes_on", [True, False])
def test_what_is_half_applied_is_settled_and_told_before_a_session_works(solved_here: Path, goes_on: bool) -> None:
    with Project(solved_here) as project:
        session = project.store.session("last").id
        accept(project, session)
        journal = project.places.session(session) / "apply" / "journal.json"
        journal.write_bytes(journal.read_bytes().replace(b'"applied"', b'"applying"'))
        assert cut_off(project.store, project.places)
    mailbox = Mailbox()
    with Control(solved_here, mailbox).closing() as control:
        if goes_on:
            control.resume(session)
        else:
            control.start(fix_task)
        control.stop()
        assert control.wait(60)
        assert not cut_off(control.project.store, control.project.places)
    told = [mail.text for mail in mailbox.take() if isinstance(mail, Notice)]
    assert any(
        f"applying the patch of session {session} was cut off: all its files were written" in text for text in told
    )


# ------------------------------------------------------------ what is chosen


def test_a_choice_that_will_not_do_changes_nothing(project: Path, home: Path) -> None:
    def refuse(opened: Project) -> None:
        assert opened.settings.budget.usd == 3.0
        raise UsageError("not so")

    with Control(project, Mailbox()).closing() as control:
        before, choices = control.project, control.choices
        with pytest.raises(UsageError, match="not so"):
            control.choose({"budget.usd": 3.0}, refuse)
        assert control.project is before
        assert control.choices == choices


# ------------------------------------------------------------ what another program does


def test_what_another_program_does_with_the_session_shows(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        screen.app.session_screen.open_session("last")
        await screen.until(lambda: screen.app.session_screen.can("accept"))
        await asyncio.to_thread(in_another_program, solved_here, accept)
        await screen.shows("✓ Applied")
        await screen.until(lambda: screen.app.session_screen.can("undo"))
        await screen.press("escape", "c")
        await screen.shows("Copied: ")
        assert "Applied: stats.py" in screen.text, "it came of nothing that the person did"
        await asyncio.to_thread(in_another_program, solved_here, undo)
        await screen.until(lambda: screen.app.session_screen.can("accept"))

    drive(solved_here, play, (120, 40))


def test_an_act_that_meets_another_state_has_the_session_read_again(solved_here: Path) -> None:
    mailbox = Mailbox()
    with Control(solved_here, mailbox).closing() as control:
        session = control.project.store.session("last").id
        control.follow(session, control.project.store.last_seq(session))
        in_another_program(solved_here, accept)
        with pytest.raises(UsageError, match="take it back first"):
            control.speak_against(session, "otherwise")
        assert [mail.kind for mail in mailbox.take() if not isinstance(mail, Notice | Rested)] == [  # type: ignore[union-attr]
            "patch.applying",
            "patch.applied",
        ]
        assert control.undo(session)
        assert [getattr(mail, "kind", "") for mail in mailbox.take()] == ["patch.undone"]
        control.catch_up()
        assert mailbox.take() == [], "all of it is heard once"


def test_a_session_that_is_at_work_in_another_program_is_said_to_be(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        store = screen.app.control.project.store
        with Project(solved_here) as other:
            session = other.store.session("last").id
            with other.store.lock(session):
                screen.app.session_screen.open_session("last")
                await screen.shows("This session is at work in another program")
                await screen.press("escape")
                other.store.append(session, "session.resumed", {})
                await screen.shows("Resumed")
                assert "Interrupted" not in screen.text
                assert "Go on" not in screen.text
                await screen.send("/resume")
                await screen.shows("/resume leads nowhere now: this session is at work")
                screen.app.session_screen.prompt.text = ""
        assert not store.is_locked(session)
        for _ in range(2):  # as it is looked on, and as it is opened
            await screen.press("escape")
            await screen.shows(
                "■ Interrupted: the program that was at work on", "/resume goes on where it was", "r Go on"
            )
            assert "at work in another program" not in screen.text
            assert "●" not in screen.text
            await screen.send("/new")
            screen.app.session_screen.open_session(session)

    drive(solved_here, play, (120, 40))


# ------------------------------------------------------------ what the person does with their files


def test_files_that_changed_in_other_lines_are_merged_from_the_screen(solved_here: Path) -> None:
    stats = solved_here / "stats.py"

    async def play(screen: Driven) -> None:
        screen.app.session_screen.open_session("last")
        await screen.until(lambda: screen.app.session_screen.can("accept"))
        stats.write_text(stats.read_text().replace('"""Statistics', '"""My statistics'))
        await screen.send("/accept")
        await screen.shows("/merge applies it so")
        screen.app.session_screen.prompt.text = ""
        await screen.send("/merge")
        await screen.shows("✓ Applied", "not tested together")

    drive(solved_here, play, (160, 44))
    assert '"""My statistics' in stats.read_text()
    assert "max(values) - min(values)" in stats.read_text()


def test_what_the_person_has_taken_back_themselves_can_be_accepted_again(solved_here: Path) -> None:
    stats = solved_here / "stats.py"
    before = stats.read_text()

    async def play(screen: Driven) -> None:
        screen.app.session_screen.open_session("last")
        await screen.until(lambda: screen.app.session_screen.can("accept"))
        await screen.send("/accept")
        await screen.until(lambda: screen.app.session_screen.can("undo"))
        stats.write_text(before)
        await screen.send("/undo")
        await screen.shows("There was nothing to take back")
        await screen.until(lambda: screen.app.session_screen.can("accept"))
        await screen.send("/accept")
        await screen.until(lambda: screen.app.session_screen.can("undo"))

    drive(solved_here, play, (160, 44))
    assert stats.read_text() != before
