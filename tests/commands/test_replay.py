"""`treadle replay`: the same decisions again, with nobody to ask, whatever came of the session."""

from __future__ import annotations

from typing import Any

import pytest

from tests.commands import recordings
from tests.commands.conftest import Treadle
from tests.commands.decisions import decided, decisions
from tests.commands.scripted_agent import EDIT, FINISH, MODEL, PLAN, Agent, calls
from tests.commands.scripted_sessions import SESSIONS, Scripted
from tests.plugins.models.scripted_service import whole

USED = ("usd", "tokens", "calls", "model_s", "sessions")
HEARD = ("complete.finished", "complete.failed")
MODEL_FIGURES = ("model_requests", "model_tokens", "model_usd")


def used_up(agent: Agent) -> list[Any]:
    """What models have used up of the budgets so far."""
    return [row for row in agent.treadle("budget", "--json").lines if row["what"] in USED]


def model_figures(agent: Agent) -> list[float]:
    """The figures of models in the metrics."""
    found = agent.treadle("metrics", "--json").result
    return [found[name] for name in MODEL_FIGURES]


def replay_in(treadle: Treadle) -> str:
    """The id of the replay that began last, after a session of the person's own: that one is their last."""
    replay, own = treadle("sessions", "--json").lines[0][:2]
    assert (replay["replays"], own["replays"]) == (own["id"], "")
    assert f"(replays {own['id']})" in treadle("sessions").out.splitlines()[0]
    assert own["id"] in treadle("show").out
    return str(replay["id"])


@pytest.mark.parametrize("name", [name for name in SESSIONS if name not in recordings.KEPT])
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
    assert decisions(agent.treadle, replay_in(agent.treadle)) == before
    assert len(agent.service.asked) == asked
    assert used_up(agent) == used
    assert model_figures(agent) == figures


@pytest.mark.parametrize("name", recordings.KEPT)
def test_a_recording_that_is_kept_comes_to_what_it_came_to_then(treadle: Treadle, name: str) -> None:
    session = recordings.import_into(treadle, name)
    replayed = treadle("replay", session, ANTHROPIC_API_KEY="")
    again = "record them anew with `python -m tests.commands.recordings` where models are told something else now"
    assert (replayed.code, "the same state and the same patch" in replayed.out) == (0, True), (replayed, again)
    assert decisions(treadle, replay_in(treadle)) == decided(recordings.read(name))
    assert f"Replayed {sum(event['kind'] in HEARD for event in recordings.read(name))} requests" in replayed.out


# ---------------------------------------------------------------- sessions that went on


def test_what_a_resume_brought_to_an_answer_is_heard_as_that(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN))
    assert agent.run().code == 5
    assert agent.treadle("replay").code == 0
    (rested, session) = (row["id"] for row in agent.treadle("sessions", "--json").lines[0])
    assert agent.treadle("resume", rested).code == 5  # a replay hears of the same trouble when it is resumed
    agent.will(EDIT, FINISH)
    assert agent.treadle("resume", session).code == 0
    asked = len(agent.service.asked)
    replayed = agent.treadle("replay", session)
    assert (replayed.code, "the same state and the same patch" in replayed.out) == (0, True), replayed
    assert len(agent.service.asked) == asked


def test_a_session_that_was_killed_while_a_model_was_asked_is_replayed_up_to_there(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN), ("hang",))
    with agent.start() as process:
        process.kill()
    replayed = agent.treadle("replay")
    assert replayed.code == 1
    told = "does not hold what came of this request to the coder, in the stage 'generate': it was cut off there"
    assert told in replayed.out
    assert "takes another way" not in replayed.out


# ---------------------------------------------------------------- another way


def diverged(agent: Agent) -> str:
    """What the replay says of where it takes another way."""
    ran = agent.treadle("replay")
    assert ran.code == 1, ran
    return " ".join(ran.out.split())


def test_where_a_file_is_another_one_the_replay_names_it_and_what_differs(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN), calls("read", path="stats.py"), EDIT, FINISH)
    assert agent.run().code == 0
    stats = agent.treadle.folder / "stats.py"
    stats.write_text(stats.read_text().replace("sum(values)", "sum( values )"))
    told = diverged(agent)
    assert "takes another way from here: in the stage 'plan' the planner is asked something else than then" in told
    assert "The first line that differs was 'stats.py: 18 lines, 409 bytes', and is 'stats.py: 18 lines" in told
    assert "; stats.py is not as then. `treadle show" in told


def test_where_the_patch_is_applied_that_is_said_to_be_the_reason(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN), EDIT, FINISH)
    assert agent.run("--apply").code == 0
    ran = agent.treadle("replay")
    assert (ran.code, "Its patch is applied" in ran.out) == (1, True), ran
    assert agent.treadle(*ran.out.split()[-2:]).code == 0
    assert agent.treadle("replay").code == 0


def test_where_the_files_are_as_then_the_replay_does_not_say_that_they_are_others(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN), calls("read", path="stats.py"), EDIT, FINISH)
    assert agent.run().code == 0
    (agent.treadle.folder / "more.py").write_text("X = 1\n")
    told = diverged(agent)
    assert "in the stage 'plan' the planner is asked something else than then. The first line that differs was" in told
    assert "more.py" in told
    assert "stats.py is not as then" not in told
    assert "others now" not in told


# ---------------------------------------------------------------- requests that were not sent


def heads(treadle: Treadle, session: str = "last") -> list[str]:
    """The lines over the requests that `treadle show` prints."""
    told = treadle("show", session, "--requests").out.splitlines()
    return [line.removeprefix("--- request ") for line in told if line.startswith("---")]


def test_a_request_that_no_budget_let_through_is_shown_as_not_sent(agent: Agent) -> None:
    SESSIONS["review-over-budget"].run(agent)
    why = "3 of 3 requests to models are used up this session"
    shown = heads(agent.treadle)
    assert shown[:3] == [
        f"1: planner (plan), {MODEL}",
        f"2: coder (generate), {MODEL}",
        f"3: coder (generate), {MODEL}",
    ]
    assert shown[3].startswith(f"4: reviewer (validate), not sent: {why}")
    assert agent.treadle("replay").code == 0
    assert heads(agent.treadle, replay_in(agent.treadle))[3].startswith(
        f"4: reviewer (validate), not sent, as then: {why}"
    )


def test_a_request_that_was_counted_and_then_let_through_by_no_budget_was_sent(agent: Agent) -> None:
    agent.will(whole(200, {"input_tokens": 2500}))
    assert agent.run("--budget", "0.163").code == 4  # enough for the longest reply, and not for the request as well
    (counted,) = agent.service.asked
    assert counted.path.endswith("/count_tokens")
    (head,) = heads(agent.treadle)
    assert head.startswith(f"1: planner (plan), {MODEL}, sent to be counted, then not asked: 0 of 0.163 US dollars")
    assert agent.treadle("replay").code == 0
    (head,) = heads(agent.treadle, replay_in(agent.treadle))
    assert head.startswith("1: planner (plan), not sent, as then: 0 of 0.163 US dollars")


# ---------------------------------------------------------------- budgets of all sessions


def test_what_the_day_has_used_up_has_no_say_in_a_replay(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN), EDIT, FINISH)
    assert agent.run("--set", "budget.day.executions=1").code == 0
    used = agent.treadle("budget", "--json").lines
    for _ in range(2):
        replayed = agent.treadle("replay")
        assert (replayed.code, "the same state and the same patch" in replayed.out) == (0, True), replayed
    assert agent.treadle("budget", "--json").lines == used


def test_a_replay_is_over_a_budget_of_the_day_where_its_original_was(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN), EDIT, calls("run_tests"), FINISH)
    assert agent.run("--set", "budget.day.executions=1").code == 4
    before = decisions(agent.treadle)
    replayed = agent.treadle("replay")
    assert (replayed.code, "Replayed 4 requests" in replayed.out) == (0, True), replayed
    assert decisions(agent.treadle, replay_in(agent.treadle)) == before
