"""What a person answers when they are asked whether a change may run: once, in this session, here always, or no, and
why."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.commands.conftest import Treadle
from tests.commands.scripted_agent import EDIT, FINISH, PLAN, RIGHT, WRONG, Agent, calls
from tests.commands.test_interruptions import run_on_terminal

NOTES = calls("write", path="notes.py", content="x = 1\n")
ASKED = "notes.py: the plan does not name this file"
BAD_EDIT = calls("edit", path="stats.py", search=WRONG, replace="    return 1 / 0")
MENDED = calls("edit", path="stats.py", search="    return 1 / 0", replace=RIGHT)


def rules_file(treadle: Treadle) -> Path:
    (file,) = treadle.home.glob("projects/*/allow.toml")
    return file


def asks(agent: Agent, *replies: bytes) -> None:
    """A run whose change has a file that the plan does not name."""
    agent.will(calls("submit_plan", **PLAN), *(replies or (EDIT, NOTES, FINISH)))
    ran = agent.run("--set", "plugins.search.near_miss_s=0")
    assert ran.code == 5, ran
    assert ASKED in ran.out
    assert "(allow / allow in this session / allow here always / deny)" in " ".join(ran.out.split())


def test_what_is_allowed_in_the_session_is_not_asked_about_in_its_next_attempt(agent: Agent) -> None:
    asks(agent, BAD_EDIT, NOTES, FINISH)
    agent.will(MENDED, FINISH)
    ran = agent.treadle("resume", "last", "--answer", "allow in this session")
    assert ran.code == 0, ran
    assert f"not asked  {ASKED}; you allowed it in this session" in ran.err
    asks(agent)


def test_what_is_allowed_here_always_is_a_rule_that_can_be_seen_and_taken_back(agent: Agent) -> None:
    treadle = agent.treadle
    assert "You have allowed nothing here always." in treadle("approvals").out
    assert "approvals" not in treadle("config").out
    asks(agent)
    before = sorted(treadle.folder.rglob("*"))
    assert treadle("resume", "last", "--answer", "allow here always").code == 0
    assert sorted(treadle.folder.rglob("*")) == before, "nothing of it is in the project"
    (rule,) = tomllib.loads(rules_file(treadle).read_text())["allow"]
    assert rule == {"rule": "outside-plan", "path": "notes.py", "why": ASKED}

    agent.will(calls("submit_plan", **PLAN), EDIT, NOTES, FINISH)
    ran = agent.run()
    assert ran.code == 0, ran
    told = f"not asked about: {ASKED}; your rule allows outside-plan in notes.py"
    assert told in " ".join(ran.out.split())
    assert f"not asked  {ASKED}; your rule allows outside-plan in notes.py" in treadle("show").out

    assert "1 rule, `treadle approvals` shows them" in treadle("config").out
    listed = treadle("approvals")
    assert f"1. outside-plan in notes.py\n   when you were asked: {ASKED}" in listed.out
    assert str(rules_file(treadle)) in listed.out
    assert treadle("approvals", "--json").lines == [[rule]]
    assert treadle("approvals", "--remove", "2").code == 2
    assert "You are asked again about outside-plan in notes.py." in treadle("approvals", "--remove", "1").out
    asks(agent)


def test_the_person_can_write_a_rule_and_a_clone_can_bring_none(agent: Agent) -> None:
    rule = '[[allow]]\nrule = "outside-plan"\npath = "*.py"\n'
    (agent.treadle.folder / ".treadle").mkdir()
    (agent.treadle.folder / ".treadle" / "allow.toml").write_text(rule)
    (agent.treadle.folder / "allow.toml").write_text(rule)
    asks(agent)
    (place,) = agent.treadle.home.glob("projects/*")
    (place / "allow.toml").write_text(rule)
    agent.will(calls("submit_plan", **PLAN), EDIT, NOTES, FINISH)
    assert agent.run().code == 0


def test_a_file_of_rules_that_says_something_else_is_told_before_anything_begins(agent: Agent) -> None:
    assert agent.treadle("sessions").code == 0
    (place,) = agent.treadle.home.glob("projects/*")
    (place / "allow.toml").write_text('[[allow]]\nrule = "unscanned"\npath = "**"\n')
    ran = agent.run()
    assert (ran.code, agent.sent) == (2, [])
    assert f"{place / 'allow.toml'}: rule 1: 'unscanned' can't be allowed for good" in " ".join(ran.err.split())
    assert agent.treadle("sessions", "--json").lines == [[]]
    assert "rule 1: 'unscanned' can't be allowed" in agent.treadle("config").err
    assert agent.treadle("approvals").code == 2


def test_a_denial_with_words_reaches_the_model_and_is_shown(agent: Agent) -> None:
    asks(agent)
    agent.will(EDIT, FINISH)
    ran = agent.treadle("resume", "last", "--answer", "deny", "--words", "leave the notes out, spread is enough")
    assert ran.code == 0, ran
    opening = str(agent.sent[-2]["messages"][0])
    assert f"the person says: leave the notes out, spread is enough; {ASKED}" in opening
    assert "Advice: leave the notes out, spread is enough" in opening
    shown = agent.treadle("show", "last").out
    assert "answered   deny: leave the notes out, spread is enough" in shown
    one = agent.treadle("show", "last", "--attempt", "1").out
    assert "Because   the person says: leave the notes out, spread is enough" in one


def test_words_go_with_an_answer_that_takes_them(agent: Agent) -> None:
    asks(agent)
    ran = agent.treadle("resume", "last", "--words", "no")
    assert (ran.code, "--words goes with --answer" in ran.err) == (2, True)
    ran = agent.treadle("resume", "last", "--answer", "allow", "--words", "fine")
    assert (ran.code, "nobody would read them; with 'deny' they do" in " ".join(ran.err.split())) == (2, True)
    assert agent.treadle("resume", "last", "--answer", "allow").code == 0


@pytest.mark.parametrize(
    ("typed", "reasons"), [("use no notes", ["the person says: use no notes", ASKED]), ("", [ASKED])]
)
def test_who_denies_on_a_terminal_is_asked_why(agent: Agent, typed: str, reasons: list[str]) -> None:
    asks(agent)
    agent.will(EDIT, FINISH)
    answer = f"deny\n{typed}\nn\n".encode()
    shown, code = run_on_terminal(agent.treadle, "resume", "last", answer=answer, question=b"in the sandbox? (")
    assert code == 0, shown
    assert "Why, or what instead (enter for nothing)" in shown
    ended = [event for event in agent.treadle("show", "--json").lines if event["kind"] == "attempt.ended"]
    assert ended[0]["data"]["reasons"] == reasons


def test_who_allows_on_a_terminal_is_not(agent: Agent) -> None:
    asks(agent)
    shown, code = run_on_terminal(
        agent.treadle, "resume", "last", answer=b"allow here always\nn\n", question=b"in the sandbox? ("
    )
    assert (code, "Why, or what" in shown) == (0, False)
    assert rules_file(agent.treadle).is_file()


def test_who_speaks_against_an_earlier_attempt_is_asked_about_the_one_after_it(agent: Agent) -> None:
    """A question that was open then is about a change that nobody wants any more."""
    asks(agent, BAD_EDIT, NOTES, FINISH)
    agent.will(calls("edit", path="stats.py", search="    return 1 / 0", replace="    return 2 / 0"), FINISH)
    assert agent.treadle("resume", "last", "--answer", "allow").code == 5
    agent.will(MENDED, FINISH)
    ran = agent.treadle("resume", "last", "--from", "1", "--reject", "as a difference")
    assert ran.code == 5
    agent.treadle("resume", "last", "--answer", "deny", "--set", "loop.max_attempts=2")
    ended = [event["data"] for event in agent.treadle("show", "--json").lines if event["kind"] == "attempt.ended"]
    assert ended[-1]["reasons"] == [ASKED], "the answer was to what is asked now, not to what was asked before"
