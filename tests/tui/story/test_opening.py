"""Which lines are open by themselves, by the setting `screen.opens`, and what a person opens beside that."""

from __future__ import annotations

import pytest

from treadle.core.config.screen_settings import Opens
from treadle.tui.story.line import Kind, Line, State
from treadle.tui.story.opening import Openings


def line(kind: Kind, state: State = "ok") -> Line:
    return Line(f"{kind}.{state}", kind, "", state, children=[Line("below", "text", "")])


@pytest.mark.parametrize(
    ("policy", "kind", "state", "opened"),
    [
        ("never", "task", "ok", True),
        ("never", "question", "waits", False),
        ("never", "attempt", "running", False),
        ("on failure", "attempt", "running", True),
        ("on failure", "attempt", "ok", False),
        ("on failure", "question", "waits", True),
        ("on failure", "stage", "ok", False),
        ("always", "stage", "ok", True),
        ("always", "attempt", "ok", True),
        ("always", "detail", "ok", False),
        ("always", "model", "ok", False),
    ],
)
def test_what_opens_by_itself(policy: Opens, kind: Kind, state: State, opened: bool) -> None:
    assert Openings(policy).is_open(line(kind, state)) is opened


def test_what_a_person_opens_or_closes_goes_before_the_setting_until_all_is_turned() -> None:
    openings, stage = Openings("never"), line("stage")
    openings.turn(stage)
    assert openings.is_open(stage)
    openings.turn(stage)
    assert not openings.is_open(stage)
    openings.turn(stage, opened=True)
    openings.turn_all()
    assert openings.is_open(line("stage")) and openings.is_open(line("model")) and not openings.is_open(line("detail"))
    openings.turn_all()
    assert not openings.is_open(stage), "what was opened before is forgotten"


def test_a_line_with_nothing_below_it_is_not_opened() -> None:
    openings, bare = Openings("never"), Line("bare", "stage", "")
    openings.turn(bare)
    assert not openings.is_open(bare)
