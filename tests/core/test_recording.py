"""What a replay hears, and what it says where the log does not tell what came of a request."""

from __future__ import annotations

import itertools

import pytest

from treadle import Message, ModelRequest
from treadle.core.errors import ReplayDiverged
from treadle.core.events import Event
from treadle.core.replay import Recording

PLANNED, ASKED = "002.plan", "007.reflect/complete.abc.1"
REQUEST = ModelRequest(role="reflector", messages=(Message(text="Why?"),))


def recording(*more: tuple[str, dict[str, object]]) -> Recording:
    """That of a session that has asked a planner, and then a reflector of whose answer nothing is logged."""
    told: tuple[tuple[str, dict[str, object]], ...] = (
        ("complete.started", {"key": f"{PLANNED}/complete.abc.1", "request": ""}),
        ("complete.finished", {"key": f"{PLANNED}/complete.abc.1", "result": {}}),
        ("stage.finished", {"key": PLANNED, "stage": "plan", "result": None}),
        ("complete.started", {"key": ASKED, "request": ""}),
        *more,
    )
    seq = itertools.count(1)
    events = [Event(session="s1", seq=next(seq), time=0.0, kind=kind, data=data) for kind, data in told]
    return Recording.of("s1", events)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ((), "it was cut off there, and so is the replay"),
        (
            (("stage.finished", {"key": "007.reflect", "stage": "reflect", "result": None}),),
            "an older Treadle kept no such reasons",
        ),
        (
            (
                ("stage.timed_out", {"key": "007.reflect", "stage": "reflect", "error": "too long", "plugins": []}),
                ("stage.finished", {"key": "007.reflect", "stage": "reflect", "result": None}),
            ),
            "the stage 'reflect' took longer than it may and was given up with it",
        ),
    ],
)
def test_a_request_without_an_end_was_cut_off_or_is_of_an_older_log(
    more: tuple[tuple[str, dict[str, object]], ...], said: str
) -> None:
    with pytest.raises(ReplayDiverged, match=said):
        recording(*more).ask(REQUEST, None, ASKED, 1.0)  # type: ignore[arg-type]
