"""`treadle resume --reject`: a patch that passed is not wanted, and another one is made."""

from __future__ import annotations

from tests.commands.conftest import Treadle
from tests.commands.scripted_agent import EDIT, FINISH, PLAN, RIGHT, WRONG, Agent, calls


def test_the_next_attempt_reads_why(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN), EDIT, FINISH)
    assert agent.run().code == 0
    wanted = f"{RIGHT}  # the range"
    agent.will(calls("edit", path="stats.py", search=RIGHT, replace=wanted), FINISH)
    ran = agent.treadle("resume", "--reject", "say that it is the range", "--apply")
    assert ran.code == 0, ran
    assert "say that it is the range" in str(agent.sent[-1])
    assert wanted in (agent.treadle.folder / "stats.py").read_text()
    assert "You" not in ran.err


def test_a_plan_that_is_rejected_is_made_anew_and_shown_again(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN))
    assert agent.run("--plan").code == 5
    assert "nothing was applied: the session waits for you" in agent.treadle("resume", "--apply").out
    ran = agent.treadle("resume", "--reject", " ")
    assert (ran.code, "the words are empty" in ran.err) == (2, True)
    agent.will(calls("submit_plan", **{**PLAN, "steps": ["Use a dict"], "files": ["stats.py", "kept.py"]}))
    ran = agent.treadle("resume", "--reject", "use a dict, and leave cli.py alone", "--json")
    assert (ran.code, ran.result["question"]) == (5, "Follow this plan?")
    assert ran.result["asked_about"][1:] == ["1. Use a dict", "files: stats.py, kept.py"]
    told = str(agent.sent[-1]["messages"])
    assert "1. Mend spread in stats.py\\nFiles: stats.py\\nThe person says: use a dict, and leave cli.py alone" in told
    assert "answered   plan anew: use a dict, and leave cli.py alone" in agent.treadle("show").out
    agent.will(EDIT, FINISH, FINISH)
    assert agent.treadle("resume", "--answer", "go on").code == 0
    assert "nothing has changed in: kept.py" in str(agent.sent[-1]["messages"])


def test_what_is_asked_about_is_what_is_rejected(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN), EDIT, FINISH)
    assert agent.run("--approve", "ask").code == 5
    assert "Attempt 1, not judged yet: " in agent.treadle("show", "--attempt", "1").out
    agent.will(calls("edit", path="stats.py", search=WRONG, replace=f"{RIGHT}  # the range"), FINISH)
    ran = agent.treadle("resume", "--reject", "say that it is the range", "--json")
    assert (ran.code, ran.result["to_look_at"]) == (5, 2), "the change that was denied, and not one before it"
    assert "say that it is the range" in str(agent.sent[-1])


def test_a_search_does_not_propose_it_again(solved: Treadle) -> None:
    before = (solved.folder / "stats.py").read_text()
    first = solved("show", "--json").lines[-1]["data"]["diff"]
    ran = solved("resume", "--another", "--json", "--set", "budget.jobs=16")
    assert ran.result["state"] == "OVER_BUDGET", "it was looked for behind the first, until no jobs were left"
    assert (ran.result["patch"], ran.result["attempts"], ran.result["nearest_patch"]) == ("", 1, first)
    assert (solved.folder / "stats.py").read_text() == before


def test_what_is_applied_is_taken_back_first(solved: Treadle) -> None:
    assert solved("resume", "--apply").code == 0
    ran = solved("resume", "--reject", "no")
    assert ran.code == 2
    assert "take it back first" in ran.err


def test_what_does_not_go_together_is_refused(solved: Treadle) -> None:
    ran = solved("resume", "--reject", "no", "--answer", "go on")
    assert ran.code == 2
    assert "don't go together" in ran.err
    assert solved("resume", "--reject", " ").code == 2


def test_what_is_chosen_for_a_session_that_has_ended_is_said_to_change_nothing(solved: Treadle) -> None:
    assert "has ended" not in solved("resume").err
    ran = solved("resume", "--set", "approval=auto")
    assert (ran.code, "has ended, so what you have chosen changes nothing: with --another or" in ran.err) == (0, True)


def test_a_patch_that_passed_can_be_applied_after_all(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN), EDIT, FINISH)
    assert agent.run().code == 0
    worse = calls("edit", path="stats.py", search=RIGHT, replace="    return 0")
    agent.will(worse, FINISH)
    ran = agent.treadle("resume", "--reject", "shorter", "--set", "loop.max_attempts=2")
    assert ran.code == 1, ran
    session = agent.treadle("show", "--json").lines[0]["session"]
    assert f"Go back to attempt 1, which passed, with: treadle resume {session} --from 1" in ran.out
    asked = len(agent.sent)
    ran = agent.treadle("resume", "--from", "1", "--apply")
    assert (ran.code, len(agent.sent)) == (0, asked), ran
    assert RIGHT in (agent.treadle.folder / "stats.py").read_text()


def test_a_question_that_other_settings_have_let_pass_takes_no_words_any_more(agent: Agent) -> None:
    broken = f"{WRONG}\n\n\nraise OSError"
    agent.will(calls("submit_plan", **PLAN), calls("edit", path="stats.py", search=WRONG, replace=broken), FINISH)
    assert agent.run("--approve", "ask").code == 5
    assert agent.treadle("resume", "--set", "approval=auto", "--set", "budget.calls=3").code == 4
    agent.will(calls("edit", path="stats.py", search=broken, replace=RIGHT), FINISH)
    ran = agent.treadle("resume", "--set", "budget.calls=9", "--reject", "subtract")
    assert (ran.code, "the person says: subtract" in str(agent.sent[-1])) == (0, True), ran
