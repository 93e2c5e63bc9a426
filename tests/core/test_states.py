from __future__ import annotations

import typing

import pytest

from treadle.core.records import SessionState
from treadle.core.states import ENDED, RESTING, followers

STATES: tuple[SessionState, ...] = typing.get_args(SessionState)
WORKING = tuple(state for state in STATES if state not in ENDED | RESTING)


@pytest.mark.parametrize("state", WORKING)
def test_a_session_can_rest_at_any_time_and_ends_only_once_it_was_remembered(state: SessionState) -> None:
    after = followers(state)
    assert after >= RESTING
    assert bool(after & ENDED) == (state == "REMEMBERING")
    assert ("REMEMBERING" in after) == (state != "REMEMBERING")


@pytest.mark.parametrize("state", sorted(ENDED | RESTING))
def test_a_run_is_over_once_its_session_ended_or_rests(state: SessionState) -> None:
    assert followers(state) == frozenset()


def test_nothing_is_run_before_it_was_scanned() -> None:
    assert {state for state in WORKING if "EXECUTING" in followers(state)} == {"PLANNING", "SCANNING"}
