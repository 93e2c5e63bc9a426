"""What a person is told to do at each end of a session."""

from __future__ import annotations

import re
from typing import Any, get_args

import msgspec
import pytest

from treadle.core.records import SessionState
from treadle.core.states import ENDED, RESTING
from treadle.tui.next_steps import in_lines, next_steps
from treadle.tui.result import Result
from treadle.tui.ways import in_conversation

DONE = {"SOLVED"}
RESULT = Result(session="s1", task="run", state="UNSOLVED", exit_code=1)


def of(**more: Any) -> list[str]:
    return next_steps(msgspec.structs.replace(RESULT, **more))


@pytest.mark.parametrize("state", sorted((ENDED | RESTING) - DONE))
@pytest.mark.parametrize("task", ["run", "fix"])
@pytest.mark.parametrize("attempts", [0, 1, 3])
@pytest.mark.parametrize("nearest", [0, 1])
def test_no_end_without_a_solution_is_without_a_command(state: str, task: str, attempts: int, nearest: int) -> None:
    assert state in get_args(SessionState)
    steps = of(state=state, task=task, attempts=attempts, nearest=min(nearest, attempts))
    assert re.search(r"treadle \w+ .*s1", "\n".join(steps)), steps
    with in_conversation():
        said = of(state=state, task=task, attempts=attempts, nearest=min(nearest, attempts))
    assert said and "treadle resume" not in "\n".join(said)


def test_what_ended_it_is_in_the_command() -> None:
    assert of(state="OVER_BUDGET", limited_by="budget.usd") == ["Go on with: treadle resume s1 --set budget.usd=N"]
    (told,) = of(state="OVER_BUDGET", limited_by="budget.day.calls", enough="4000")
    assert told == "Go on with: treadle resume s1 --set budget.day.calls=4000"
    with in_conversation():
        assert of(state="OVER_BUDGET", limited_by="budget.usd") == ["Go on with: /budget USD, then /resume"]
        (other,) = of(state="OVER_BUDGET", limited_by="budget.jobs")
        assert other == "Go on with: /quit, then treadle resume s1 --set budget.jobs=N"
    assert of(state="OVER_BUDGET") == ["Go on with: treadle resume s1"]
    *_, answer = of(state="OVER_BUDGET", limited_by="budget.calls", enough="4", options=("go on", "stop"))
    assert answer.endswith(": treadle resume s1 --set budget.calls=4 --answer 'go on'")
    assert '  treadle resume s1 --reject "WORDS"' in of(attempts=2), "an attempt that came to nothing is tried again"
    assert of(attempts=0) == ['Say it in other words with: treadle run "TASK" --continue s1']


@pytest.mark.parametrize("state", sorted(ENDED | RESTING))
def test_from_a_replay_the_session_that_it_replays_leads_on(state: str) -> None:
    (step,) = of(state=state, patch="+x", attempts=2, replays="s0")
    assert step.endswith(": treadle show s0") and "s1" not in step


def test_what_an_error_ended_goes_on_once_that_is_mended() -> None:
    assert of(failed=True) == ["Once that is mended, go on with: treadle resume s1"]


def test_an_answer_leads_on_and_nothing_to_do_leads_nowhere() -> None:
    assert of(state="SOLVED", answer="a") == ['Ask on, or have it changed, with: treadle run "TASK" --continue s1']
    assert of(state="SOLVED") == []
    with in_conversation():
        assert of(state="SOLVED", answer="a") == []


def test_a_command_that_does_not_fit_behind_its_words_stands_whole_below_them() -> None:
    step = "Nothing was changed yet. Apply it with: treadle resume 20261130-173140-778c --apply"
    assert in_lines([step], 0) == step
    words, command = in_lines([step], 80).splitlines()
    assert words == "Nothing was changed yet. Apply it with:"
    assert command == "  treadle resume 20261130-173140-778c --apply"
