"""`treadle run` with a tester and a reviewer, as a person sees it: shown, replayed, and gone on with after a kill."""

from __future__ import annotations

from tests.commands.scripted_agent import EDIT, FINISH, Agent, calls
from tests.commands.scripted_sessions import BETTER, COMPLEX, MUST, TESTED, WITH_TESTER


def test_a_change_is_tested_and_reviewed_and_the_replay_asks_nobody(agent: Agent) -> None:
    agent.will(calls("submit_plan", **COMPLEX), *TESTED, EDIT, FINISH)
    agent.will(calls("submit_review", objections=[MUST]), BETTER, FINISH, calls("submit_review", objections=[]))
    ran = agent.run(*WITH_TESTER)
    assert ran.code == 0, ran
    assert "Check     ok written tests: 1 of 1 written tests pass" in ran.out
    assert "Check     ok review: a model has read it, and objects to nothing" in ran.out
    assert "the tests that were written for the task lie in" in ran.out
    assert "test_one.py" not in ran.out.partition("Check ")[0]
    asked = len(agent.sent)
    replayed = agent.treadle("replay")
    assert replayed.code == 0, replayed
    assert "the same state and the same patch" in replayed.out
    assert len(agent.sent) == asked


def test_a_session_that_is_killed_while_it_is_reviewed_asks_the_reviewer_again_and_nobody_else(
    agent: Agent,
) -> None:
    agent.will(calls("submit_plan", **COMPLEX), *TESTED, EDIT, FINISH, ("hang",))
    with agent.start(*WITH_TESTER) as process:
        process.kill()
    agent.will(calls("submit_review", objections=[]))
    ran = agent.treadle("resume")
    assert ran.code == 0, ran
    assert len(agent.sent) == 7
    assert "Check     ok written tests: 1 of 1 written tests pass" in ran.out
