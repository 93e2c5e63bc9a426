"""`treadle replay`: the same decisions again, with nobody to ask, whatever came of the session."""

from __future__ import annotations

from typing import Any

import pytest

from tests.commands.decisions import decisions
from tests.commands.scripted_agent import Agent
from tests.commands.scripted_sessions import SESSIONS, Scripted

USED = ("usd", "tokens", "calls", "model_s", "sessions")
MODEL_FIGURES = ("model_requests", "model_tokens", "model_usd")


def used_up(agent: Agent) -> list[Any]:
    """What models have used up of the budgets so far."""
    return [row for row in agent.treadle("budget", "--json").lines if row["what"] in USED]


def model_figures(agent: Agent) -> list[float]:
    """The figures of models in the metrics."""
    found = agent.treadle("metrics", "--json").result
    return [found[name] for name in MODEL_FIGURES]


@pytest.mark.parametrize("name", SESSIONS)
def test_a_replay_decides_the_same_and_asks_nobody(agent: Agent, name: str) -> None:
    script: Scripted = SESSIONS[name]
    ran = script.run(agent)
    shown = agent.treadle("show", "--json").lines
    (state,) = (event["data"]["state"] for event in shown if event["kind"] in ("session.ended", "session.rests"))
    assert (state, script.said in " ".join(f"{ran.out} {ran.err}".split())) == (script.state, True), ran
    before, asked = decisions(agent.treadle), len(agent.service.asked)
    used, figures = used_up(agent), model_figures(agent)
    agent.treadle.env["ANTHROPIC_API_KEY"] = ""
    replayed = agent.treadle("replay")
    assert (replayed.code, "the same state and the same patch" in replayed.out) == (0, True), replayed
    assert decisions(agent.treadle) == before
    assert len(agent.service.asked) == asked
    assert used_up(agent) == used
    assert model_figures(agent) == figures
