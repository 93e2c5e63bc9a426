"""`treadle run` that solves nothing: what came nearest is told, and what leads on from it."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.commands.conftest import Ran
from tests.commands.scripted_agent import FINISH, MODEL, PLAN, RIGHT, WRONG, Agent, calls

PARTLY = "    return max(values) - 1"
"""It mends one of the three tests that fail."""
NO_SEARCH = ("--set", "plugins.search.near_miss_s=0")
ADVICE = "Take the smallest value away."


def reflection(what_next: str) -> bytes:
    return calls("submit_reflection", wrong="It guesses the smallest value.", advice=ADVICE, next=what_next)


@pytest.fixture
def unsolved(agent: Agent) -> Ran:
    """Attempt 1 mends one of three tests; attempt 2 mends none, and breaks another."""
    first = calls("edit", path="stats.py", search=WRONG, replace=PARTLY)
    second = calls("edit", path="stats.py", search=PARTLY, replace="    return 1 / 0")
    breaks = calls("edit", path="stats.py", search="    return sum(values) / len(values)", replace="    return 0")
    agent.will(calls("submit_plan", **PLAN), first, FINISH, second, breaks, FINISH, reflection("another"))
    return agent.run("--attempts", "2", *NO_SEARCH)


def session_of(ran: Ran) -> str:
    found = re.search(r"session (\S+)$", ran.out, re.MULTILINE)
    assert found
    return found[1]


def commands(ran: Ran) -> list[list[str]]:
    """The commands that a result says in lines of their own, without the program's name."""
    return [shlex.split(line)[1:] for line in ran.out.splitlines() if line.startswith("  treadle ")]


def test_the_attempt_that_came_nearest_is_told_and_not_the_last_one(agent: Agent, unsolved: Ran) -> None:
    assert unsolved.code == 1
    assert unsolved.out.splitlines()[0] == "Not done: 2 attempts, and none holds"
    for ran in (unsolved, agent.treadle("show"), agent.treadle("resume")):
        assert "Attempt 1 came nearest. Its change, which did not pass:\n\ndiff --git a/stats.py" in ran.out
        assert f"+{PARTLY}" in ran.out
        assert "1 / 0" not in ran.out
        assert "Nearest   attempt 1 of 2: 1 of 3 failing tests mended, none broken" in ran.out
        mended = "1 failed before, pass now:\n            test_stats.py::test_spread[values0-4]"
        assert mended in ran.out
        assert "2 failed before, still fail:" in ran.out
        assert "still fails: test_stats.py::test_spread[values2-11] (assert 8 == 11)" in ran.out
        assert f"Advice    after attempt 2: {ADVICE}" in ran.out
    assert "attempt 2 failed: 1 test that passed before does not now" in unsolved.err


def test_the_commands_that_it_names_lead_on(agent: Agent, unsolved: Ran) -> None:
    session = session_of(unsolved)
    goes_on, others = commands(unsolved)
    assert goes_on == ["resume", session, "--from", "1", "--reject", "WORDS"]
    assert others == ["show", session, "--attempt", "2", "--diff"]
    assert "+    return 1 / 0" in agent.treadle(*others).out
    said = " ".join(unsolved.out.split())
    assert "--model coder=PROVIDER/MODEL for another model" in said
    assert "--set loop.max_attempts=N to allow N attempts in all" in said
    assert all(len(line) <= 80 for line in unsolved.out.partition("session ")[2].splitlines())
    still = "    return max(values) - 2"
    agent.will(calls("edit", path="stats.py", search=PARTLY, replace=still), FINISH, reflection("repair"))
    agent.will(calls("edit", path="stats.py", search=still, replace=RIGHT), FINISH)
    ran = agent.treadle(*goes_on, "--set", "loop.max_attempts=3", *NO_SEARCH)
    assert (ran.code, f"+{RIGHT}" in ran.out) == (0, True), ran
    assert f"+{still}" in agent.treadle(*others).out, "the one that was set aside had its number"


def test_what_did_not_pass_is_not_applied_and_that_is_said(agent: Agent, unsolved: Ran) -> None:
    before = (agent.treadle.folder / "stats.py").read_text()
    ran = agent.treadle("resume", "--apply")
    assert ran.code == 1
    assert "nothing was applied: no attempt passed, so there is nothing that may be applied" in ran.out
    assert commands(ran) == commands(unsolved)
    assert (agent.treadle.folder / "stats.py").read_text() == before
    told = agent.treadle("resume", "--apply", "--json").result
    assert told["nearest"] == 1
    assert f"+{PARTLY}" in told["nearest_patch"]
    assert (told["patch"], told["applied"]) == ("", False)
    assert told["still_failing"] == ["test_stats.py::test_spread[values1-0]", "test_stats.py::test_spread[values2-11]"]
    assert any(note.startswith("nothing was applied") for note in told["notes"])


def test_a_single_attempt_is_gone_on_from_as_it_is_and_a_long_change_is_shortened(agent: Agent) -> None:
    long = "\n".join(["    values = list(values)"] * 100 + [PARTLY])
    agent.will(calls("submit_plan", **PLAN), calls("edit", path="stats.py", search=WRONG, replace=long), FINISH)
    ran = agent.run("--attempts", "1", *NO_SEARCH)
    session = session_of(ran)
    assert commands(ran) == [["resume", session, "--reject", "WORDS"]]
    assert re.search(rf"\[\d\d lines more: treadle show {session} --attempt 1 --diff\]", ran.out)
    assert ran.out.count("values = list(values)") < 60


def test_a_search_that_found_nothing_has_no_attempt_and_says_what_else_there_is(agent: Agent) -> None:
    treadle = agent.treadle
    (treadle.folder / "test_stats.py").write_text("def test_no_way():\n    assert 1 == 2\n")
    ran = treadle("fix", "--apply", "--set", "plugins.search.max_candidates=12")
    session = session_of(ran)
    assert ran.code == 1
    assert ran.out.startswith("Not fixed: ")
    assert "nothing was applied: no change was found" in ran.out
    assert "Nearest" not in ran.out
    assert commands(ran) == [["run", "Mend the failing tests", "--continue", session]]
    assert treadle("resume", "--json").result["nearest"] == 0
    agent.will(calls("answer", text="The test is wrong."))
    asked = treadle(*commands(ran)[0], "--model", MODEL)
    assert (asked.code, "no change was found" in str(agent.sent[0])) == (0, True), asked
