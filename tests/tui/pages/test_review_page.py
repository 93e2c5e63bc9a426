"""What waits for a person: found, disclosed, and opened."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands.conftest import Treadle
from tests.commands.finished_sessions import patch_found
from tests.tui.pages import hostile
from tests.tui.pages.page_driver import drive_page, fits, narrow_and_wide
from tests.tui.resting import asking, rests
from tests.tui.screen.screen_driver import Driven
from treadle.core.acceptance import Acceptance
from treadle.core.conversations import outcome_of
from treadle.core.places import Places
from treadle.core.project import Project
from treadle.core.store.store import Store
from treadle.tui.pages.review import ReviewPage, waiting


@pytest.fixture
def titles(project: Path, home: Path):
    def read() -> list[str]:
        with Project(project) as opened:
            told = {"title": lambda line: line.title, "result": lambda line: line.result.partition(" · ")[0]}
            return [told["title" if line.title.startswith("A patch") else "result"](line) for line in waiting(opened)]

    return read


def test_a_question_waits_with_what_it_is_about(project: Path, home: Path) -> None:
    session = rests(project, home, asking("setup.cfg: a dependency \x1b[8mhidden", "second"))
    with Project(project) as opened:
        (line,) = waiting(opened)
    assert (line.key, line.title, line.state) == (session, "tidy the readers", "waits")
    assert line.result.startswith("May it touch setup.cfg? · ")
    assert [below.title for below in line.children] == [
        "setup.cfg: a dependency \\033[8mhidden",
        "second",
        "Answers: allow, deny",
    ]


def test_what_was_asked_before_the_person_spoke_of_an_attempt_waits_no_more(project: Path, home: Path, titles) -> None:
    session = rests(project, home, asking(), reason="12 attempts were made")
    with Store.open(Places(home, project).store) as store:
        store.append(session, "feedback.given", {"key": "feedback.1", "turn": "f1", "feedback": {"attempt": 1}})
    assert titles() == ["12 attempts were made"]


def test_one_without_a_question_says_why_it_rests(project: Path, home: Path, titles) -> None:
    rests(project, home, None, reason="12 attempts were made")
    assert titles() == ["12 attempts were made"]


def test_one_whose_program_is_gone_waits_for_who_goes_on_with_it(project: Path, home: Path, titles) -> None:
    session = rests(project, home, asking())
    with Store.open(Places(home, project).store) as store:
        store.append(session, "session.state", {"state": "GENERATING"})
        with store.lock(session):
            assert titles() == []
    assert titles() == ["Interrupted: the program that was at work on it is gone"]


def test_a_patch_waits_until_it_is_accepted_and_no_longer_when_it_is_taken_back(
    project: Path, home: Path, titles
) -> None:
    session = patch_found(Treadle(project, home), {"stats.py": b"better = 1\n", "new.py": b"one\n"})
    assert titles() == ["A patch to accept: stats.py, new.py"]
    with Project(project) as opened:
        outcome = outcome_of(opened.store.events(session))
        assert outcome is not None
        acceptance = Acceptance(opened.store, opened.places, project, session)
        acceptance.apply(outcome)
        assert not list(waiting(opened))
        acceptance.undo()
        assert not list(waiting(opened)), "the person has decided on it"


def test_a_patch_that_somebody_has_made_by_hand_waits_no_more(project: Path, home: Path, titles) -> None:
    patch_found(Treadle(project, home), {"stats.py": b"better = 1\n"})
    assert titles()
    (project / "stats.py").write_bytes(b"better = 1\n")
    assert titles() == []


@narrow_and_wide
def test_what_waits_is_disclosed_and_opened(project: Path, home: Path, size: tuple[int, int]) -> None:
    rests(project, home, asking("setup.cfg: a new dependency"))
    session = patch_found(Treadle(project, home), {"new.py": b"better = 1\n"})

    async def play(screen: Driven) -> None:
        await screen.shows("? tidy the readers", "May it touch setup.cfg?", "? A patch to accept: new.py", "o Open")
        await screen.press("right")
        await screen.shows("setup.cfg: a new dependency", "Answers: allow, deny")
        await screen.press("left", "down", "right", "down", "down", "right")
        await screen.shows("as it was wanted", "new.py  +1 -0", "+better = 1")
        assert fits(screen)
        await screen.press("enter")  # a file closes again; it does not leave the page
        await screen.until(lambda: "+better = 1" not in screen.text)
        await screen.press("up", "up", "enter")

    assert drive_page(project, ReviewPage, play, size) == [session]


def test_words_find_what_waits_and_nothing_is_said_kindly(project: Path, home: Path) -> None:
    rests(project, home, asking())

    async def play(screen: Driven) -> None:
        await screen.shows("May it touch")
        await screen.press("slash", *"xyzzy")
        await screen.shows("Nothing here holds these words")
        await screen.press("escape", "escape")

    assert drive_page(project, ReviewPage, play) == [None]


def test_hostile_questions_are_only_shown(project: Path, home: Path) -> None:
    for text in hostile.texts():
        rests(project, home, asking(text, text=f"begin {text}"))

    async def play(screen: Driven) -> None:
        await screen.shows("begin")
        for _ in hostile.texts():
            await screen.press("right")
            await screen.shows("Answers: allow, deny")
            assert fits(screen)
            assert not any(char in screen.text for char in hostile.OBEYED)
            await screen.press("left", "down")

    drive_page(project, ReviewPage, play, (100, 30))
