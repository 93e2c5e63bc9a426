"""`treadle run` with a tester and a reviewer, as a person sees it: shown, replayed, and gone on with after a kill."""

from __future__ import annotations

import pytest

from tests.commands.scripted_agent import EDIT, FINISH, PLAN, Agent, calls
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


# ---------------------------------------------------------------- tests that the person lets count

TESTER = ("--set", "plugins.test-model.when=always", "--set", "plugins.review-model.when=never")
PASS = "Check     ok written tests: 1 of 1 written tests pass"
THROUGH_A_SHELL = (
    calls(
        "write",
        path="test_one.py",
        content="import subprocess\n\nfrom stats import spread\n\n\ndef test_one():\n"
        "    assert not spread([1])\n    subprocess.run('true', shell=True, check=True)\n",
    ),
    TESTED[1],
)


@pytest.mark.parametrize(("shown", "answer"), [((), "yes"), (("--plan",), "go on")])
def test_with_ask_tests_that_count_by_the_persons_word_run_after_a_kill_and_in_a_replay(
    agent: Agent, shown: tuple[str, ...], answer: str
) -> None:
    agent.will(calls("submit_plan", **PLAN), *TESTED)
    ran = agent.run("--approve", "ask", *TESTER, *shown)
    assert (ran.code, "assert not spread([1])" in ran.out) == (5, True), ran
    agent.will(("hang",))
    with agent.hangs("resume", "last", "--answer", answer) as process:
        process.kill()
    agent.will(EDIT, FINISH)
    assert agent.treadle("resume").code == 5
    ran = agent.treadle("resume", "last", "--answer", "allow")
    assert (ran.code, PASS in ran.out) == (0, True), ran
    replayed = agent.treadle("replay")
    assert (replayed.code, "the same state and the same patch" in replayed.out) == (0, True), replayed


MANY = "".join(f"def test_{n}():\n    if {n}:\n        assert {n}\n\n\n" for n in range(1, 60))


@pytest.mark.parametrize("asked", [("--approve", "ask"), ("--plan",)])
def test_tests_that_may_count_are_shown_whole_and_as_they_are(agent: Agent, asked: tuple[str, ...]) -> None:
    agent.will(calls("submit_plan", **PLAN), calls("write", path="test_one.py", content=MANY), TESTED[1])
    ran = agent.run(*asked, *TESTER)
    whole = "".join(f"    {line}".rstrip() + "\n" for line in MANY.rstrip("\n").split("\n"))
    assert (ran.code, f"  test_one.py:\n{whole}" in ran.out) == (5, True), ran


def test_in_review_tests_that_were_seen_with_the_plan_are_not_held_back_for_what_a_scanner_would_ask(
    agent: Agent,
) -> None:
    agent.will(calls("submit_plan", **PLAN), *THROUGH_A_SHELL)
    assert agent.run("--plan", *TESTER).code == 5
    agent.will(EDIT, FINISH)
    ran = agent.treadle("resume", "last", "--answer", "go on")
    assert (ran.code, PASS in ran.out) == (0, True), ran
