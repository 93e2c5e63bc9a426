"""`treadle run` and its kin before a real service of Anthropic's protocol, which the test scripts."""

from __future__ import annotations

import json
import re
import shlex
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.commands.conftest import Treadle
from tests.commands.scripted_agent import EDIT, FINISH, MODEL, PLAIN_NAME, PLAN, RIGHT, WRONG, Agent, calls, words
from tests.commands.test_interruptions import run_on_terminal
from tests.plugins.models.anthropic import said
from tests.plugins.models.openai_compatible import said as chat
from tests.plugins.models.scripted_service import Act, whole
from treadle.core.events import Event
from treadle.core.project import Project

# ---------------------------------------------------------------- what a person gets


def test_a_task_is_planned_written_tested_and_the_patch_waits_to_be_accepted(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN), calls("read", path="stats.py"), EDIT, calls("run_tests"), FINISH)
    ran = agent.run()
    assert (ran.code, ran.out.splitlines()[0]) == (0, "Done: The spread is a difference.")
    assert f"-{WRONG}" in ran.out
    assert f"+{RIGHT}" in ran.out
    assert "1. Mend spread in stats.py" in ran.err
    assert re.search(r"Models    5 requests to anthropic/claude-sonnet-5-5, 115 tokens read .*\$0\.00", ran.out)
    assert WRONG in (agent.treadle.folder / "stats.py").read_text()
    assert agent.treadle("resume", "last", "--apply").code == 0
    assert RIGHT in (agent.treadle.folder / "stats.py").read_text()
    assert f"+{RIGHT}" in agent.treadle("show", "last", "--attempt", "1", "--diff").out
    assert agent.treadle("undo").code == 0
    assert WRONG in (agent.treadle.folder / "stats.py").read_text()


def test_a_question_is_answered_and_nothing_changes(agent: Agent) -> None:
    agent.will(calls("answer", text="It is in `stats.py`, line 8."))
    ran = agent.run()
    assert (ran.code, ran.out.splitlines()[0]) == (0, "It is in `stats.py`, line 8.")
    assert agent.treadle("show").code == 0
    assert "nothing was applied: the session has answered a question" in agent.treadle("resume", "--apply").out
    assert "it has answered a question" in agent.treadle("show", "--attempt", "1").err


def test_what_a_model_gives_to_choose_from_is_shown_and_obeyed_by_no_terminal(agent: Agent) -> None:
    evil = "the first\x1b]0;owned\x07"
    agent.will(calls("ask_person", question="Which?", options=[evil, "the second"]))
    assert agent.run().code == 5
    agent.will(calls("answer", text="So it is."))
    shown, code = run_on_terminal(
        agent.treadle, "resume", "last", answer=b"the first\\033]0;owned\\007\n", question=b"Which? ("
    )
    assert (code, "\x1b]" in shown, "\x07" in shown) == (0, False, False)
    (answered,) = agent.sent[-1]["messages"][-1]["content"]
    assert answered["content"] == f"the person answered: {evil}"


def test_a_model_for_a_role_takes_the_place_of_the_one_for_all(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN), EDIT, FINISH)
    assert agent.run("--model", "coder=anthropic/claude-opus-5-5").code == 0
    assert [body["model"] for body in agent.sent] == ["claude-sonnet-5-5", *["claude-opus-5-5"] * 2]


def test_where_the_planner_says_nothing_another_model_can_be_asked_for_the_plan(agent: Agent) -> None:
    agent.will(*[words("")] * 4)
    ran = agent.run()
    assert (
        ran.code,
        "the planner came to nothing: its last try said nothing that could be used. Ask it again?" in ran.out,
    ) == (5, True)
    assert "`treadle resume --answer 'ask again' --model planner=PROVIDER/MODEL`" in ran.out
    session = agent.treadle("sessions", "--json").lines[0][0]["id"]
    (told,) = re.findall(r"^Answer with: treadle (.*)", ran.out, re.MULTILINE)
    assert told.startswith(f"resume {session} --answer ")
    agent.will(calls("submit_plan", **PLAN), EDIT, FINISH)
    command = (*shlex.split(told)[:2], "--answer", "ask again", "--model", "planner=anthropic/claude-opus-5-5")
    assert agent.treadle(*command).code == 0
    asked = [body["model"] for body in agent.sent][-3:]
    assert asked == ["claude-opus-5-5", "claude-sonnet-5-5", "claude-sonnet-5-5"]


def test_where_the_coder_declines_another_model_can_be_asked_for_the_change(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN), *[words("I can't do that.", stop="refusal")] * 4)
    ran = agent.run()
    asked = "the coder came to nothing: its last try was declined: I can't do that. Ask it again?"
    assert (ran.code, asked in ran.out) == (5, True)
    agent.will(EDIT, FINISH)
    command = ("resume", "--answer", "ask again", "--model", "coder=anthropic/claude-opus-5-5")
    assert agent.treadle(*command).code == 0
    assert [body["model"] for body in agent.sent][-2:] == ["claude-opus-5-5"] * 2


def test_no_session_begins_or_goes_on_with_a_model_of_nobody(agent: Agent) -> None:
    agent.will(*[words("")] * 4)
    agent.run()
    ran = agent.treadle("resume", "--model", "nope/nope")
    assert (ran.code, "there is no language model 'nope/nope'" in ran.err) == (2, True)


def test_a_mistake_in_a_service_of_ones_own_is_named_by_the_run(agent: Agent) -> None:
    agent.treadle.env["ANTHROPIC_API_KEY"] = ""
    (agent.treadle.home / "config.toml").write_text(
        '[plugins.openai-compatible.services]\nmine = {base_url = 5}\n"a/b" = {base_url = "http://127.0.0.1:9/v1"}\n'
    )
    ran = agent.treadle("run", "mend the spread")
    assert ran.code == 5
    assert "plugins.openai-compatible.services.mine.base_url must be an address in quotes" in ran.out
    assert "the name 'a/b' can't be part of a model's" in ran.out
    ran = agent.treadle("run", "mend the spread", "--model", "service/a/b/x")
    assert "the name 'a/b' can't be part of a model's" in ran.out


def test_a_model_of_nobody_in_the_settings_is_said_under_its_role(agent: Agent) -> None:
    with (agent.treadle.home / "config.toml").open("a") as file:
        file.write(f'[models.coder]\nuse = ["antropic/x", "{MODEL}"]\n[models.planner]\nuse = ["nope/nope"]\n')
    told = agent.treadle("models").out.splitlines()
    planner, coder = told.index("  planner     no model"), told.index(f"  coder       {MODEL}")
    assert told[planner + 1].strip() == "models.planner.use: there is no language model 'nope/nope'"
    wrong = "models.coder.use: there is no language model 'antropic/x'; did you mean 'anthropic/x'?"
    assert told[coder + 1].strip() == wrong
    assert agent.treadle("models", "--json").result["unknown"]["coder"] == [wrong.removeprefix("models.coder.use: ")]


def test_what_made_it_impossible_is_told_with_the_way_on(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN))
    assert agent.run("--plan").code == 5
    ran = agent.treadle("resume", "--answer", "go on", "--off", "workspace-overlay", "--off", "workspace-copy")
    way = "Once that is mended, go on with: treadle resume 2"
    assert (ran.code, "no enabled plugin can open a workspace" in ran.err, way in ran.err) == (1, True, True)
    shown = agent.treadle("show").out
    assert "Not done: no enabled plugin can open a workspace" in shown and way in shown
    assert "Follow this plan?" not in shown, "it asks nothing any more"


def test_a_plan_can_be_seen_before_it_is_followed(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN))
    ran = agent.run("--plan")
    assert ran.code == 5
    classed = "simple: the planner says so; before, it was medium: it is about 18 lines in stats.py"
    told = (classed, "1. Mend spread in stats.py", "files: stats.py")
    asked = "".join(f"  {line}\n" for line in told) + "Follow this plan? (go on / plan anew / stop)"
    shown = "\n".join(f"             {line}" for line in told)
    assert asked in ran.out and shown in ran.err
    assert "Or say what should be otherwise: treadle resume " in ran.out
    ran = agent.treadle("show")
    assert shown in ran.out and asked in ran.out
    agent.will(EDIT, FINISH)
    assert agent.treadle("resume", "last", "--answer", "go on").code == 0


def test_a_model_without_tools_sends_files_and_edits_as_text(agent: Agent) -> None:
    (agent.treadle.home / "models.toml").write_text("[models.anthropic.claude-sonnet-5-5]\ntools = false\n")
    agent.will(
        words("- Mend spread in `stats.py`"),
        words(f"stats.py\n\n<<<<<<< SEARCH\n{WRONG}\n=======\n{RIGHT}\n>>>>>>> REPLACE\n\nThe spread is a difference."),
    )
    ran = agent.run("--test", "python -m pytest -q")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "Done: The spread is a difference.")
    assert all("tools" not in body for body in agent.sent)
    assert "```stats.py" in json.dumps(agent.sent[1]["system"])
    shown = requests_shown(agent.treadle)
    assert ["tools" in request for request in shown] == [False, False]
    assert [request["max_tokens"] for request in shown] == [body["max_tokens"] for body in agent.sent]
    assert "```stats.py" in shown[1]["system"]


def requests_shown(treadle: Treadle) -> list[Any]:
    """The requests that `treadle show` prints, each as it was sent."""
    parts = re.split(r"^--- .*$", treadle("show", "--requests").out, flags=re.MULTILINE)
    return [json.loads(part) for part in parts[1:]]


def test_a_request_that_was_sent_to_two_models_is_shown_as_each_got_it(agent: Agent) -> None:
    (agent.treadle.home / "models.toml").write_text("[models.anthropic.claude-opus-5-5]\noutput = 777\n")
    agent.will(whole(404, {"type": "error", "error": {"type": "not_found_error", "message": "none"}}))
    agent.will(calls("answer", text="It is in `stats.py`."))
    assert agent.run("--model", "anthropic/claude-opus-5-5").code == 0
    told = agent.treadle("show", "--requests").out.splitlines()
    assert [line for line in told if line.startswith("---")] == [
        f"--- request 1: planner (plan), {MODEL}, which gave no reply",
        "--- request 1 again: planner (plan), anthropic/claude-opus-5-5",
    ]
    first, second = requests_shown(agent.treadle)
    assert (first["model"], second["model"]) == (MODEL, "anthropic/claude-opus-5-5")
    assert (second["max_tokens"], first["max_tokens"]) == (777, agent.sent[0]["max_tokens"])
    assert first["tools"] == second["tools"] != []
    assert "role" not in first
    assert first["messages"][0]["role"] == "user"


def test_bytes_that_are_no_text_in_a_file_or_in_the_task_stop_nothing(agent: Agent) -> None:
    (agent.treadle.home / "models.toml").write_text("[models.anthropic.claude-sonnet-5-5]\ntools = false\n")
    foreign = b"# mend the spread caf\xe9\nX = 1\n"
    for name in ("enc.py", "notes.txt", "spread.md"):
        (agent.treadle.folder / name).write_bytes(foreign)
    edit = "{}\n\n<<<<<<< SEARCH\n{}\n=======\n{}\n>>>>>>> REPLACE\n"
    agent.will(
        words("- Mend spread in `stats.py`\n- Set X in `enc.py`"),
        words(edit.format("stats.py", WRONG, RIGHT) + edit.format("enc.py", "X = 1", "X = 2") + "\nBoth."),
    )
    asked = ("run", "mend the spread \udcff", "--model", MODEL, "--test", "python -m pytest -q")
    ran = agent.treadle(*asked, "--approve", "auto", "--apply")  # what can't be scanned would be asked about
    assert (ran.code, ran.out.splitlines()[0]) == (0, "Done: Both.")
    assert (agent.treadle.folder / "enc.py").read_bytes() == foreign.replace(b"X = 1", b"X = 2")
    assert "mend the spread \ufffd" in json.dumps(agent.sent, ensure_ascii=False)


def test_a_task_without_quotation_marks_is_told_with_them(treadle: Treadle) -> None:
    ran = treadle("run", "mend", "the", "spread", "--apply")
    assert ran.code == 2
    assert "put the task in quotation marks: treadle run 'mend the spread'" in ran.err
    assert 'say what is to be done: treadle run "TASK"' in treadle("run").err


def test_what_the_output_has_no_letters_for_is_shown_as_an_escape(agent: Agent) -> None:
    agent.will(words("It is “one” 🎉"))
    agent.treadle("run", "What is the spread?", "--model", MODEL)
    ran = agent.treadle("show", PYTHONIOENCODING="latin-1")
    assert ran.code == 0, ran
    assert "It is \\u201cone\\u201d \\U0001f389" in ran.out


def test_nonsense_is_neither_a_plan_nor_a_change(agent: Agent) -> None:
    (agent.treadle.home / "models.toml").write_text("[models.anthropic.claude-sonnet-5-5]\ntools = false\n")
    nonsense = words("The spread is a number that is a spread.")
    agent.will(nonsense, nonsense, nonsense)
    ran = agent.run()
    assert (ran.code, ran.out.splitlines()[0][:8]) == (1, "Not done"), ran
    assert "the planner gave no plan, so the task itself is the plan" in ran.out + ran.err
    told = (
        "Not done: the model changed nothing; its last words: The spread is a number that is a spread. Say more exactly"
    )
    assert " ".join(ran.out.split()).startswith(told)
    assert "--model coder=PROVIDER/MODEL" in ran.out
    agent.will(nonsense, nonsense, nonsense)
    agent.run("--continue", "last")
    assert "changed nothing" in str(agent.sent[-1])
    assert "--model coder" not in str(agent.sent), "what the person is advised is told to no model"


def test_who_goes_on_from_what_was_not_accepted_is_told_that_it_is_not_there(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN), EDIT, FINISH, calls("submit_plan", **PLAN), EDIT, FINISH)
    first = agent.run()
    ran = agent.run("--continue", "last")
    (session,) = re.findall(r"the patch of session (\S+) is not in your files", ran.out)
    assert f"treadle resume {session} --apply" in first.out
    agent.treadle("resume", "last", "--apply")
    agent.will(calls("submit_plan", **PLAN), calls("edit", path="stats.py", search="mean", replace="mean"), FINISH)
    assert "is not in your files" not in agent.run("--continue", "last").out


def test_where_the_planner_gives_no_plan_the_coder_has_its_chance(agent: Agent) -> None:
    (agent.treadle.home / "models.toml").write_text("[models.anthropic.claude-sonnet-5-5]\ntools = false\n")
    right = words(f"stats.py\n\n<<<<<<< SEARCH\n{WRONG}\n=======\n{RIGHT}\n>>>>>>> REPLACE\n\nIt is a difference.")
    agent.will(words("The spread is a number."), words("The spread."), right)
    ran = agent.run("--file", "stats.py", "--test", "python -m pytest -q")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "Done: It is a difference."), ran
    assert "1. mend the spread" in ran.err


def test_an_attempt_that_fails_is_told_what_fails_and_mended(agent: Agent) -> None:
    wrong = calls("edit", path="stats.py", search=WRONG, replace="    return 1 / 0")
    again = calls("edit", path="stats.py", search="    return 1 / 0", replace=RIGHT)
    agent.will(calls("submit_plan", **PLAN), wrong, FINISH, again, FINISH)
    ran = agent.run("--set", "plugins.search.near_miss_s=0")
    assert ran.code == 0, ran
    opening = agent.sent[3]["messages"][0]["content"]
    told = opening if isinstance(opening, str) else opening[0]["text"]
    assert "Attempt 1 changed stats.py" in told
    assert "division by zero" in told


def test_a_near_miss_is_mended_by_the_search_and_no_model_is_asked(agent: Agent) -> None:
    wrong = calls("edit", path="stats.py", search=WRONG, replace="    return min(values) - max(values)")
    agent.will(calls("submit_plan", **PLAN), wrong, FINISH)
    ran = agent.run()
    assert ran.code == 0, ran
    assert "Mended by search" in ran.out
    assert len(agent.sent) == 3
    assert agent.treadle("metrics", "--json").result["calls_saved"] == 1


NEARLY = "    return min(values) - max(values)"
THROUGH_A_SHELL = f"{NEARLY}\n\n\ndef listing():\n    return os.popen('ls').read()"


def test_a_near_miss_that_was_asked_about_and_allowed_is_mended_as_well(agent: Agent) -> None:
    begins = (agent.treadle.folder / "stats.py").read_text().splitlines()[0]
    imports = calls("edit", path="stats.py", search=begins, replace=f"import os\n{begins}")
    agent.will(calls("submit_plan", **PLAN), imports)
    agent.will(calls("edit", path="stats.py", search=WRONG, replace=THROUGH_A_SHELL), FINISH)
    ran = agent.run()
    assert (ran.code, "(shell)" in ran.out) == (5, True), ran
    ran = agent.treadle("resume", "last", "--answer", "allow")
    assert (ran.code, "attempt 1 failed" in ran.err) == (5, True), ran
    assert "you allowed it in the change that is mended" in ran.err
    ran = agent.treadle("resume", "last", "--answer", "allow")  # the mended change is another one
    assert (ran.code, "Mended by search" in ran.out) == (0, True), ran
    assert len(agent.sent) == 4
    assert agent.treadle("metrics", "--json").result["calls_saved"] == 1
    assert agent.treadle("replay").code == 0


def test_with_ask_no_near_miss_is_mended_and_it_is_said_why(agent: Agent) -> None:
    again = "    return min(values) - max(values) + 0"
    agent.will(calls("submit_plan", **PLAN), calls("edit", path="stats.py", search=WRONG, replace=NEARLY), FINISH)
    assert agent.run("--approve", "ask").code == 5
    agent.will(calls("edit", path="stats.py", search=NEARLY, replace=again), FINISH)
    assert agent.treadle("resume", "last", "--answer", "allow").code == 5
    agent.will(calls("edit", path="stats.py", search=again, replace=RIGHT), FINISH)
    assert agent.treadle("resume", "last", "--answer", "allow").code == 5
    ran = agent.treadle("resume", "last", "--answer", "allow")
    assert ran.code == 0, ran
    assert " ".join(ran.out.split()).count("the search mends no near miss: you see each change before any") == 1
    assert "the search tried" not in ran.out
    metrics = agent.treadle("metrics", "--json").result
    assert (metrics["candidates"], metrics["jobs"]) == (3, 4)  # the attempts; the tests before them, and after each


def test_in_a_project_without_tests_those_that_the_plan_names_have_to_pass(agent: Agent) -> None:
    for file in agent.treadle.folder.iterdir():
        file.unlink()
    plan = {"steps": ["Write it"], "files": ["double.py", "test_double.py"], "difficulty": "simple"}
    tests = "from double import double\n\n\ndef test():\n    assert double(2) == 4\n"
    wrong = calls("write", path="double.py", content="def double(n):\n    return n\n")
    right = calls("edit", path="double.py", search="    return n", replace="    return 2 * n")
    agent.will(calls("submit_plan", **plan), wrong, calls("write", path="test_double.py", content=tests), FINISH)
    agent.will(right, FINISH)
    ran = agent.run("--set", "plugins.search.near_miss_s=0")
    assert ran.code == 0, ran
    assert "attempt 1 failed: 1 test fails" in ran.err
    assert "Check     ok tests: 1 of 1 pass" in ran.out
    assert "not tested" not in ran.out


def test_what_was_not_solved_is_shown_and_every_attempt_kept(agent: Agent) -> None:
    wrong = calls("edit", path="stats.py", search=WRONG, replace="    return 1 / 0")
    agent.will(calls("submit_plan", **PLAN), wrong, FINISH)
    ran = agent.run("--attempts", "1", "--set", "plugins.search.near_miss_s=0")
    assert ran.code == 1
    assert ran.out.startswith("Not done: 1 attempt, and none holds\n")
    assert re.search(r'^  treadle resume \S+ --reject "WORDS"$', ran.out, re.MULTILINE)
    assert "+    return 1 / 0" in agent.treadle("show", "--attempt", "1", "--diff").out
    shown = agent.treadle("show", "--attempt", "1").out
    assert "Attempt 1, failed: The spread is a difference." in shown
    assert "division by zero" in shown
    assert "it has 1" in agent.treadle("show", "--attempt", "2").err


def test_so_many_attempts_as_the_person_says_are_made_without_a_question(agent: Agent) -> None:
    """More than the ladder has rungs, and than the same failure allows, and past the breaker."""
    agent.will(calls("submit_plan", **PLAN))
    for n in range(7):
        body = (
            f"def mean(v):\n    return {n}\n\n\ndef spread(v):\n    return -{n}\n\n\ndef middle(v):\n    return {n}\n"
        )
        agent.will(calls("write", path="stats.py", content=body), FINISH)
    still = ("--off", "reflect-model", "--set", "plugins.search.near_miss_s=0", "--set", "loop.breaker_attempts=5")
    ran = agent.run("--attempts", "7", *still)
    assert (ran.code, ran.out.splitlines()[0]) == (1, "Not done: 7 attempts, and none holds"), ran
    replayed = agent.treadle("replay")
    assert "the same state and the same patch" in replayed.out, replayed


# ---------------------------------------------------------------- budgets, approval


def test_a_budget_of_money_that_holds_no_model_is_said_to_hold_none(agent: Agent) -> None:
    (agent.treadle.home / "models.toml").write_text("[models.anthropic.unheard-of]\ntools = true\n")
    unheard, told = "anthropic/unheard-of", "the budget of money does not hold anthropic/unheard-of"
    for more, times in (("--budget", "0.01"), 1), ((), 0):
        agent.will(calls("answer", text="It subtracts."))
        ran = agent.treadle("run", "What does spread do?", "--model", unheard, *more)
        assert (ran.code, ran.out.count(told)) == (0, times), ran
        assert agent.treadle("show").out.count(told) == times


def test_a_budget_ends_it_before_the_call_and_a_larger_one_goes_on(agent: Agent) -> None:
    agent.will(whole(200, {"input_tokens": 500}), calls("submit_plan", **PLAN))
    agent.will(whole(200, {"input_tokens": 1_000}))
    ran = agent.run("--budget", "0.162")
    assert ran.code == 4
    assert re.search(r"Go on with: treadle resume \S+ --set budget\.usd=0\.33\n", ran.out), ran.out
    asked = len(agent.sent)
    agent.will(EDIT, FINISH)
    ran = agent.treadle("resume", "last", "--set", "budget.usd=5")
    assert (ran.code, "has ended" in ran.err) == (0, False)
    assert len(agent.sent) == asked + 2


def test_a_file_outside_of_the_plan_is_asked_about(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN), EDIT, calls("write", path="notes.py", content="x = 1\n"), FINISH)
    ran = agent.run()
    assert ran.code == 5
    assert "notes.py: the plan does not name this file" in ran.out
    assert agent.treadle("resume", "last", "--answer", "allow").code == 0
    assert agent.treadle("replay").code == 0  # the answer too is heard again


def test_nothing_is_written_where_only_reading_is_allowed(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN))
    ran = agent.run("--approve", "read-only")
    assert (ran.code, len(agent.sent)) == (1, 1)
    assert "read-only" in ran.out


# ---------------------------------------------------------------- the service fails


@pytest.mark.parametrize(
    "trouble",
    [
        (whole(529, said.error(529, "overloaded_error", "Overloaded")),),
        (said.STREAM + said.chunk(said.begin() + said.text(0, "half an ans")) + said.END,),
    ],
    ids=["529", "ends early"],
)
def test_trouble_that_passes_is_survived(agent: Agent, trouble: tuple[Act, ...]) -> None:
    agent.will(calls("submit_plan", **PLAN), trouble, EDIT, FINISH)
    ran = agent.run()
    assert ran.code == 0, ran
    assert re.search(r"^model      anthropic/claude-sonnet-5-5: .*; asked again in \d+ s$", ran.err, re.MULTILINE)


def test_trouble_that_stays_lets_the_session_rest_and_it_goes_on_later(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN), whole(401, said.error(401, "authentication_error", "no")))
    ran = agent.run()
    assert ran.code == 5
    assert "no language model answered (anthropic/claude-sonnet-5-5: " in ran.out
    agent.will(EDIT, FINISH)
    assert agent.treadle("resume").code == 0


def test_another_model_is_asked_when_one_fails(agent: Agent) -> None:
    agent.will(whole(404, said.error(404, "not_found_error", "no such model")), calls("answer", text="Yes."))
    ran = agent.treadle("run", "Is it?", "--model", "anthropic/claude-opus-5-5", "--model", MODEL)
    assert (ran.code, ran.out.splitlines()[0]) == (0, "Yes.")
    assert "is asked in place of anthropic/claude-opus-5-5" in ran.err


def test_a_reply_that_was_cut_off_is_never_written(agent: Agent) -> None:
    cut = said.answer(said.call(0, "write", '{"path": "stats.py", "content": "def mean('), stop="max_tokens")
    agent.will(calls("submit_plan", **PLAN), cut, EDIT, FINISH)
    ran = agent.run()
    assert ran.code == 0, ran
    assert "def mean(values)" in (agent.treadle.folder / "stats.py").read_text()
    assert "cut off at its limit" in json.dumps(agent.sent[2])


def test_a_model_that_goes_in_circles_is_stopped(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN), *[calls("read", path="stats.py")] * 20)
    ran = agent.run("--attempts", "1")
    assert ran.code == 1
    assert "made the same call over and over" in ran.out
    assert "the answer would be the same" in json.dumps(agent.sent[-1])


def test_a_killed_session_goes_on_without_asking_again(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN), EDIT, ("hang",))
    with agent.start() as process:
        process.kill()
    agent.will(FINISH)
    ran = agent.treadle("resume")
    assert ran.code == 0, ran
    assert len(agent.sent) == 4  # of which one was asked twice


def test_ctrl_c_ends_a_silent_stream_at_once(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN), (said.STREAM, said.chunk(said.begin()), "hang"))
    with agent.start() as process:
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
    assert agent.service.gone.wait(60)  # from an answer that goes on, and not because that had ended
    agent.will(EDIT, FINISH)
    assert agent.treadle("resume").code == 0


# ---------------------------------------------------------------- later


def test_a_conversation_goes_on(agent: Agent) -> None:
    agent.will(calls("answer", text="In stats.py."))
    agent.run()
    agent.will(calls("answer", text="Yes, still there."))
    ran = agent.treadle("run", "--continue", "Still?", "--model", MODEL)
    assert ran.out.splitlines()[0] == "Yes, still there."
    told = json.dumps(agent.sent[1]["messages"])
    assert "The person asked: mend the spread" in told
    assert "What came of it: In stats.py." in told


def test_a_replay_takes_the_same_way_without_any_service(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN), EDIT, calls("run_tests"), FINISH)
    assert agent.run().code == 0
    asked = len(agent.service.asked)
    ran = agent.treadle("replay")
    assert ran.code == 0, ran
    assert "Replayed 4 requests" in ran.out
    assert "the same state and the same patch" in ran.out
    assert len(agent.service.asked) == asked
    (agent.treadle.folder / "stats.py").write_text("def mean(values):\n    return 1\n")
    ran = agent.treadle("replay", "last")
    assert ran.code == 1
    assert "takes another way from here" in ran.out


def test_a_replay_that_was_interrupted_goes_on_as_one_and_is_replayed_as_one(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN), EDIT, calls("run_tests"), FINISH)
    assert agent.run().code == 0
    asked = len(agent.service.asked)
    with Project(agent.treadle.folder, env=agent.treadle.env) as project:
        replayed = project.replay("last")

        def interrupt(item: object) -> None:
            if isinstance(item, Event) and item.kind == "complete.finished":
                replayed.stop()

        project.bus.subscribe(interrupt)
        assert replayed.run().state == "STOPPED"
    again = agent.treadle("replay", replayed.id)
    assert again.code == 1
    assert "it came to SOLVED, where it was STOPPED" in again.out
    ran = agent.treadle("resume", replayed.id)
    assert (ran.code, ran.out.splitlines()[0]) == (0, "Done: The spread is a difference.")
    assert len(agent.service.asked) == asked


@pytest.mark.parametrize("kept", ["shaped", "of a plain name", "in the keyring"])
def test_what_was_sent_can_be_read_word_for_word_and_holds_no_key(agent: Agent, kept: str, tmp_path: Path) -> None:
    key = agent.keeps_its_key(kept, tmp_path)
    stats = agent.treadle.folder / "stats.py"
    stats.write_text(f"{stats.read_text()}\nTOKEN = {key!r}\n")
    environment = calls("run_python", code="import os\nprint('it sees', dict(os.environ))")
    more = calls("search_tools", words="run a Python script")
    agent.will(calls("submit_plan", **PLAN), calls("read", path="stats.py"), more, environment)
    agent.will(EDIT, calls("run_tests"), FINISH)
    assert agent.run("--approve", "auto").code == 0
    assert all(f"Bearer {key}" in asked.headers.values() for asked in agent.service.asked)
    shown = agent.treadle("show", "--requests").out
    assert shown.count("--- request ") == 7
    assert "def spread(values)" in shown
    assert "TOKEN = '[redacted]'" in shown
    assert "it sees {" in shown
    assert PLAIN_NAME not in shown
    for place in (shown, json.dumps(agent.sent), agent.treadle("show", "--json").out):
        assert key not in place
    for file in agent.treadle.home.rglob("*"):
        assert not file.is_file() or key.encode() not in file.read_bytes(), file


def test_the_way_on_from_a_budget_of_runs_names_what_was_counted_and_what_raises_it(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN), EDIT, calls("run_tests"), calls("run_tests"), FINISH)
    ran = agent.run("--set", "budget.day.executions=1")
    assert ran.code == 4, ran
    assert "1 of 1 runs of code that a model wrote are used up today" in ran.out
    assert "each time counts that a model has tests or a script run, and that its change is checked" in ran.out
    (way,) = re.findall(r"Go on with: treadle (resume .* --set budget\.day\.executions=2)\n", ran.out)
    asked = len(agent.sent)
    assert agent.treadle(*way.split()).code == 0
    assert len(agent.sent) == asked
    assert "2 of 100" in agent.treadle("budget").out


def test_what_is_used_up_is_shown_for_the_day_and_the_month(agent: Agent) -> None:
    agent.will(calls("answer", text="Yes."))
    assert agent.run("--set", "budget.day.calls=7").code == 0
    shown = agent.treadle("budget").out.splitlines()
    assert shown[0].split() == ["today", "this", "month"]
    assert any(re.fullmatch(r"requests to models +1 of 2,000 +1 of 20,000", line) for line in shown), shown
    rows = agent.treadle("budget", "--json").lines
    assert {"scope": "day", "what": "sessions", "used": 1.0, "limit": 100.0} in rows


def test_models_are_listed_with_roles_prices_and_what_is_missing(agent: Agent) -> None:
    listed = {
        "data": [_model("claude-opus-5-5"), _model("claude-sonnet-5-5"), _model("claude-haiku-5-5"), _model("new")]
    }
    agent.will(whole(200, listed | {"has_more": False, "first_id": "a", "last_id": "z"}))
    ran = agent.treadle("models", COLUMNS="100")
    assert ran.code == 0
    assert re.search(r"coder +anthropic/claude-sonnet-5-5, then anthropic/claude-opus-5-5", ran.out)
    assert re.search(r"anthropic/claude-haiku-5-5 +small +1M +0.1 / 0.5", ran.out)
    assert re.search(r"anthropic/new +- +\S+ +price unknown", ran.out)
    agent.treadle.env["ANTHROPIC_API_KEY"] = ""
    said_without = agent.treadle("models", "--json").result
    assert said_without["models"] == []
    assert "ANTHROPIC_API_KEY" in said_without["missing"]["anthropic"]


def _model(name: str) -> dict[str, Any]:
    created = "2026-10-01T00:00:00Z"
    return {
        "id": name,
        "type": "model",
        "display_name": name,
        "created_at": created,
        "lifecycle": "active",
        "max_input_tokens": 1_000_000,
    }


def test_without_any_model_the_ways_to_get_one_are_named(treadle: Treadle) -> None:
    ran = treadle("run", "mend the spread", ANTHROPIC_API_KEY="")
    assert ran.code == 5
    assert "ANTHROPIC_API_KEY" in ran.out
    assert "`treadle fix`" in ran.out


def test_who_has_a_wrong_key_hears_so_whether_or_not_another_service_can_be_asked(agent: Agent) -> None:
    error = {"type": "authentication_error", "message": "invalid x-api-key"}
    agent.service.standing["/v1/models?limit=1000"] = (whole(401, {"type": "error", "error": error}),)
    why = "Anthropic answered 401: invalid x-api-key; check the key in ANTHROPIC_API_KEY"
    alone = agent.treadle("run", "Where is the spread?")
    assert (alone.code, f"no language model can be asked now: {why}" in alone.out) == (5, True)
    with (agent.treadle.home / "config.toml").open("a") as file:
        file.write(f'[plugins.openai-compatible.services.mine]\nbase_url = "{agent.service.url}/v1"\n')
    agent.service.standing["/v1/models"] = (whole(200, {"object": "list", "data": [{"id": "m", "object": "model"}]}),)
    agent.will(chat.words("In stats.py."))
    ran = agent.treadle("run", "Where is the spread?")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "In stats.py.")
    assert f"model      not asked: {why}" in ran.err


def test_of_ones_own_services_the_one_that_is_down_is_named_beside_the_models_of_the_other(agent: Agent) -> None:
    agent.treadle.env["ANTHROPIC_API_KEY"] = ""
    up, down = (f'{{base_url = "{url}/v1"}}' for url in (agent.service.url, "http://127.0.0.1:9"))
    own = f"[plugins.antropic]\n[plugins.openai-compatible.services]\nup = {up}\ndown = {down}\n"
    (agent.treadle.home / "config.toml").write_text(own)
    agent.service.standing["/v1/models"] = (whole(200, {"object": "list", "data": [{"id": "m", "object": "model"}]}),)
    ran = agent.treadle("models")
    assert "there is no plugin 'antropic'; did you mean 'anthropic'?" in ran.err
    assert re.search(r"coder +service/up/m\n", ran.out)
    assert "service: down can't be reached at http://127.0.0.1:9/v1" in ran.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("run",), 'treadle run "TASK"'),
        (("run", "  "), 'treadle run "TASK"'),
        (("run", "x", "--model", "codr=a/b"), "did you mean 'coder'"),
        (("run", "x", "--model", "sonnet"), "PROVIDER/MODEL"),
        (("run", "x", "--model", "nope/nope"), "there is no language model 'nope/nope'"),
        (("run", "x", "--model", "coder=nope/nope"), "there is no language model 'nope/nope'"),
        (("run", "x", "--model", "service/nope/m"), "there is no service 'nope'; did you mean 'nose'? named are nose"),
        (
            ("run", "x", "--set", "models.coder.use=nope/nope"),
            "models.coder.use: there is no language model 'nope/nope'",
        ),
        (("run", "x", "--set", "models.coder.use=service/nope/m"), "models.coder.use: there is no service 'nope'"),
        (("resume", "--model", "codr=a/b"), "did you mean 'coder'"),
        (("run", "x", "--file", "/etc/passwd"), "outside of the project"),
        (("run", "x", "--file", ".git/config"), "hidden from models: what is in that folder is for the person alone"),
        (("run", "x", "--test", " "), "--test: the command is empty"),
        (("fix", "--test", " "), "--test: the command is empty"),
        (("fix", "--test", "nosuchprogram x"), "there is no command 'nosuchprogram'"),
        (("fix", "test_stats.py::test_nope"), "there is no test test_nope in test_stats.py"),
        (("fix", "test_stats.py::nope"), "test_stats.py::nope: there is no such test"),
        (("fix", "test_stats.py::test_spread[values0-5]"), "the nearest are test_stats.py::test_spread[values0-4], "),
        (("fix", f"test_stats.py::ghp_{'a1B2' * 9}"), "a name that you gave holds what looks like a key"),
        (("fix", "--set", "plugins.search.nosuch=1"), "unknown key 'plugins.search.nosuch'"),
        (("run", "x", "--budget", "abc"), "'abc' is not a number of US dollars, such as 0.50"),
        (("run", "x", "--budget", "nan"), "'nan' is not a number of US dollars, such as 0.50"),
        (("run", "x", "--budget", "-1"), "'-1' is not a number of US dollars, such as 0.50"),
        (("run", "x", "--approve", "never"), "read-only"),
        (("run", "x", "--continue", "nope"), "nope"),
        (("run", "--continue", "20261129-085828-872j"), 'treadle run "TASK"'),
        (("show", "--events", "--requests"), "--events and --requests"),
    ],
)
def test_what_a_person_gets_wrong_is_said(treadle: Treadle, arguments: tuple[str, ...], told: str) -> None:
    (treadle.folder / ".git").mkdir()
    (treadle.folder / ".git" / "config").touch()
    treadle.home.mkdir()
    own = '[plugins.openai-compatible.services.nose]\nbase_url = "http://127.0.0.1:9/v1"\n'
    (treadle.home / "config.toml").write_text(own)
    ran = treadle(*arguments)
    assert ran.code == 2
    assert told in ran.err
    assert treadle("sessions").out.startswith("No sessions")


def test_replaying_what_asked_no_model_is_refused(solved: Treadle) -> None:
    ran = solved("replay")
    assert (ran.code, "has asked no language model" in ran.err) == (2, True)
