"""What a task of a model is judged by: a change that weakens its tests is not applied because they pass."""

from __future__ import annotations

from tests.commands.scripted_agent import FINISH, PLAN, Agent, calls

PLAN_OF_TESTS = {**PLAN, "files": ["test_stats.py"]}
WEAKENED = calls(
    "edit", path="test_stats.py", search="    assert spread(values) == expected", replace="    assert spread(values)"
)


def _applied(agent: Agent) -> bool:
    return "== expected" not in (agent.treadle.folder / "test_stats.py").read_text()


def test_with_auto_what_weakens_its_tests_waits_for_a_look(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN_OF_TESTS), WEAKENED, FINISH)
    ran = agent.run("--approve", "auto", "--apply")
    assert (ran.code, _applied(agent)) == (5, False), ran
    told = " ".join(ran.out.split())
    assert "Trust low Trust it weakens what it is judged by, so that passing says little: asserts-changed in" in told
    assert "not applied, since the tests say little about it" in told
    session = agent.treadle("sessions", "--json").lines[0][0]["id"]
    assert f"Apply it with: treadle resume {session} --apply" in told
    assert agent.treadle("resume", "last", "--apply").code == 0
    assert _applied(agent)


def test_what_the_person_was_asked_about_and_allowed_is_applied(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN_OF_TESTS), WEAKENED, FINISH)
    assert agent.run("--apply").code == 5
    ran = agent.treadle("resume", "last", "--answer", "allow", "--apply")
    assert (ran.code, _applied(agent), "Trust" in ran.out) == (0, True, False), ran
