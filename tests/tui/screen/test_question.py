"""A question on the screen: what answers it, and what does not."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events

from tests.tui.screen.screen_driver import Driven, drive
from treadle.core.records import Question
from treadle.tui.widgets import question_dialog
from treadle.tui.widgets.question_dialog import QuestionDialog

BARE = Question(id="q", text="Which of the two?", options=("one", "other"))
TOLD = Question(id="q", text="Which of the two?", options=("one", "other"), details=("the first", "the second"))

Answer = tuple[str, str] | None


async def put(screen: Driven, question: Question) -> list[Answer]:
    answers: list[Answer] = []
    screen.app.push_screen(QuestionDialog(question), answers.append)
    await screen.shows("1 one", "2 other")
    return answers


@pytest.mark.parametrize("question", [BARE, TOLD], ids=["without details", "with details"])
def test_a_key_that_was_under_way_when_it_came_is_no_answer(
    project: Path, question: Question, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(question_dialog, "NO_ANSWER_S", 3600.0)

    async def play(screen: Driven) -> None:
        answers = await put(screen, question)
        await screen.press("enter", "space", "1", "enter")
        assert answers == []
        await screen.press("tab", "x")
        assert "came too soon" not in screen.text
        await screen.press("enter")
        assert answers == [], "nor by a button"
        assert "1 came too soon: once more, after a moment, takes that answer" in screen.text
        assert "Which of the two?" in screen.text

    drive(project, play)


@pytest.mark.parametrize("question", [BARE, TOLD], ids=["without details", "with details"])
def test_it_is_answered_by_a_number_or_a_button(
    project: Path, question: Question, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(question_dialog, "NO_ANSWER_S", 0.01)

    async def play(screen: Driven) -> None:
        for keys, answer in ((["2"], "other"), (["tab", "tab", "enter"], None)):
            answers = await put(screen, question)
            await screen.until(lambda: screen.app.screen._listens)
            await screen.press("enter")
            assert answers == [], "neither is the easier answer"
            await screen.press(*keys)
            await screen.until(lambda: answers)  # noqa: B023 - it is called in the same round
            assert answers[0] is not None
            assert answer is None or answers == [(answer, "")]

    drive(project, play)


def test_a_sign_that_only_looks_like_a_number_is_none(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question_dialog, "NO_ANSWER_S", 0.01)

    async def play(screen: Driven) -> None:
        answers = await put(screen, BARE)
        await screen.until(lambda: screen.app.screen._listens)
        screen.app.post_message(events.Key("superscript_two", "²"))
        await screen.pilot.pause()
        assert answers == []
        await screen.press("1")
        await screen.until(lambda: answers == [("one", "")])

    drive(project, play)


def test_a_number_within_text_that_somebody_writes_is_none(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question_dialog, "NO_ANSWER_S", 3600.0)

    async def play(screen: Driven) -> None:
        answers = await put(screen, TOLD)
        dialog = screen.app.screen
        assert isinstance(dialog, QuestionDialog)
        dialog._heard_at = float("-inf")
        await screen.press("s", "t", "e", "p", "space", "1", "space", "2")
        assert answers == []
        assert "2 came too soon" in screen.text
        dialog._heard_at = float("-inf")
        await screen.press("f1")
        await screen.shows("A question: the number of an answer takes it", "1  one", "2  other", "Decide later")
        assert "Open or close" not in screen.text, "there is nothing to open"
        await screen.press("escape", "1")
        await screen.until(lambda: answers == [("one", "")])

    drive(project, play)


def test_keys_that_scroll_in_what_is_asked_about_are_no_other_text(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(question_dialog, "NO_ANSWER_S", 3600.0)

    async def play(screen: Driven) -> None:
        answers = await put(screen, TOLD)
        dialog = screen.app.screen
        assert isinstance(dialog, QuestionDialog)
        dialog._heard_at = float("-inf")
        await screen.press("j", "k", "G", "g", "1")
        await screen.until(lambda: answers == [("one", "")])

    drive(project, play)
