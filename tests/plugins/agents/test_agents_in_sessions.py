"""The agents beyond planner and coder, in whole sessions: what they are asked, and what they can bring about."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.plugins.agents.agent_bench import MEND, PLAN, RIGHT, WRONG, AgentBench, call, edit
from treadle.core import candidate_size, questions
from treadle.core.models.messages import ModelFailure, ModelReply

MUST = {"path": "stats.py", "line": 10, "problem": "an empty list is not handled", "severity": "must"}
SHOULD = {"path": "stats.py", "problem": "say what an empty list gives", "severity": "should"}
FINISH = call("finish", summary="The spread is a difference.")
FIRST, SECOND = "    return 1 / 0", "    return 2 / 0"
TESTS = "from stats import spread\n\n\ndef test_one_value():\n    assert spread([7]) == {}\n"

PROPERTY = """\
from hypothesis import given, settings
from hypothesis import strategies as st

from stats import spread


@settings(derandomize=True, database=None, deadline=None)
@given(st.lists(st.integers(0, 10**6), min_size=1), st.integers(0, 10**6))
def test_it_stays_when_all_values_move(values, by):
    assert spread([value + by for value in values]) == spread(values)
"""


@pytest.fixture
def agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plain_environment: Path) -> Iterator[AgentBench]:
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: ())
    made = AgentBench(tmp_path, plain_environment)
    made.says("planner", call("submit_plan", **PLAN))
    yield made
    assert not made.unexpected
    if made._store is not None:
        made._store.close()


def review(*objections: object) -> ModelReply:
    return call("submit_review", objections=objections)


# ---------------------------------------------------------------- the reviewer


def test_what_the_reviewer_says_must_change_is_mended_before_the_person_sees_the_change(agents: AgentBench) -> None:
    better = edit(RIGHT, "    return max(values) - min(values) if values else 0")
    agents.says("coder", *MEND, better, FINISH)
    agents.says("reviewer", call("read", path="stats.py"), review(MUST, SHOULD), review(SHOULD))
    outcome = agents.run()
    assert outcome.state == "SOLVED"
    first, second = outcome.attempts
    assert first.verdict.reasons == ("stats.py:10: an empty list is not handled",)
    assert first.reflection is not None and first.reflection.next == "repair"
    assert [(s.kind, s.ok, s.worse, s.details) for s in second.signals if s.kind == "review"] == [
        ("review", True, 0, ("stats.py: say what an empty list gives",))
    ]
    told = agents.openings("reviewer")[0]
    assert f"-{WRONG}" in told and f"+{RIGHT}" in told and "mend the spread" in told
    seen = agents.asked("reviewer")[1].messages[-1].results[0].text
    assert RIGHT.strip() in seen  # the project is read as the change leaves it
    assert "an empty list is not handled" in agents.openings("coder")[1]


def test_the_reviewer_alone_can_fail_two_attempts_and_no_more(agents: AgentBench) -> None:
    agents.says("coder", *MEND)
    for number in (1, 2):
        before = RIGHT if number == 1 else f"{RIGHT}  # {number - 1}"
        agents.says("coder", edit(before, f"{RIGHT}  # {number}"), FINISH)
    agents.says("reviewer", *[review(MUST)] * 3)
    outcome = agents.run()
    assert (outcome.state, len(outcome.attempts)) == ("SOLVED", 3)
    (said,) = [signal for signal in outcome.attempts[-1].signals if signal.kind == "review"]
    assert said.ok and "still says: stats.py:10: an empty list is not handled" in said.summary


def test_the_reviewer_is_not_asked_about_a_change_that_fails_its_tests(agents: AgentBench) -> None:
    agents.says("coder", edit(WRONG, FIRST), FINISH, edit(FIRST, RIGHT), FINISH)
    agents.says("reviewer", review())
    outcome = agents.run()
    assert (outcome.state, len(outcome.attempts), len(agents.asked("reviewer"))) == ("SOLVED", 2, 1)
    assert "a model has read it, and objects to nothing" in outcome.attempts[1].verdict.reasons


@pytest.mark.parametrize(
    ("when", "difficulty", "asked"),
    [(None, "complex", 1), (None, "medium", 0), ("always", "simple", 1), ("never", "complex", 0)],
)
def test_when_the_reviewer_is_asked(agents: AgentBench, when: str | None, difficulty: str, asked: int) -> None:
    agents.replies.clear()
    agents.says("planner", call("submit_plan", **{**PLAN, "difficulty": difficulty}))
    agents.plugin_settings = {"review-model": {"when": when}} if when else {}
    agents.says("coder", *MEND)
    agents.says("reviewer", review())
    assert agents.run().state == "SOLVED"
    assert len(agents.asked("reviewer")) == asked


def test_a_file_that_is_not_there_is_told_the_reviewer(agents: AgentBench) -> None:
    agents.says("coder", *MEND)
    agents.says("reviewer", review({**MUST, "path": "stat.py"}), review())
    assert agents.run().state == "SOLVED"
    assert "there is no file stat.py" in agents.asked("reviewer")[1].messages[-1].results[0].text


def test_a_reviewer_in_text_is_understood(agents: AgentBench) -> None:
    agents.says("coder", *MEND)
    agents.says("reviewer", ModelReply(text="It looks fine to me."), ModelReply(text="SHOULD stats.py:9: name it"))
    outcome = agents.run()
    assert outcome.state == "SOLVED"
    assert outcome.attempts[0].signals[-1].details == ("stats.py:9: name it",)
    assert "That is no review" in agents.asked("reviewer")[1].messages[-1].text


def test_without_a_reviewers_model_the_work_goes_on_and_it_is_said(agents: AgentBench) -> None:
    agents.says("coder", *MEND)
    agents.says("reviewer", ModelFailure(trouble="refused", message="no such key"))
    outcome = agents.run()
    assert outcome.state == "SOLVED"
    assert any("nobody has reviewed the change" in note and "no such key" in note for note in outcome.notes)


def test_a_change_that_holds_is_shown_although_its_review_would_be_over_the_budget(agents: AgentBench) -> None:
    agents.says("coder", *MEND)
    agents.amounts = {"session": {"calls": 3}}
    outcome = agents.run()
    assert (outcome.state, len(outcome.attempts)) == ("SOLVED", 1)
    assert any("nobody has reviewed the change" in note and "budget.calls" in note for note in outcome.notes)


# ---------------------------------------------------------------- perseverance


def test_an_agent_that_runs_in_circles_is_told_so_then_a_stronger_model_is_asked(agents: AgentBench) -> None:
    again = call("read", path="stats.py")
    agents.says("coder", *MEND)
    agents.says("reviewer", *[again] * 15, review())
    assert agents.run().state == "SOLVED"
    openings = agents.openings("reviewer")
    assert len(openings) == 4 and len(set(openings)) == 4
    assert openings[0] in openings[1]
    assert "try 2 of 4. It made the same call over and over" in openings[1]
    assert [request.step for request in agents.asked("reviewer") if len(request.messages) == 1] == [0, 0, 0, 1]


def test_an_agent_is_given_up_with_a_note(agents: AgentBench) -> None:
    agents.says("coder", *MEND)
    agents.says("reviewer", *[ModelReply(text="I would rather not.", stop="refusal")] * 4)
    outcome = agents.run()
    assert outcome.state == "SOLVED"
    assert "that there is: the last one was declined, and its last words were: " in "".join(outcome.notes)
    assert not [signal for signal in outcome.attempts[0].signals if signal.kind == "review"]


def test_a_change_that_is_far_too_large_is_a_failed_attempt(
    agents: AgentBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidate_size, "MOST_FILES", 1)
    agents.plugin_settings = {"review-model": {"when": "never"}}
    agents.says("coder", call("write", path="more.txt", content="x\n"), *MEND, *MEND)
    outcome = agents.run()
    assert [attempt.verdict.state for attempt in outcome.attempts] == ["failed", "passed"]
    too_large = "the change is too large: it changes 2 files, and 1 are the most"
    assert outcome.attempts[0].verdict.reasons == (too_large,)
    assert too_large in "".join(agents.openings("coder")[1:])


def test_a_coder_in_circles_has_made_a_failed_attempt_unless_it_has_written(agents: AgentBench) -> None:
    agents.plugin_settings = {"review-model": {"when": "never"}}
    circles = [call("read", path="stats.py")] * 5
    agents.says("coder", *circles, MEND[0], *circles)
    outcome = agents.run()
    assert outcome.state == "SOLVED"
    assert [attempt.verdict.state for attempt in outcome.attempts] == ["failed", "passed"]
    in_circles = "the model made the same call over and over, or only looked, and wrote nothing"
    assert outcome.attempts[0].verdict.reasons == (in_circles,)
    assert "made the same call over and over" in agents.openings("coder")[1]
    begun = [request.step for request in agents.asked("coder") if len(request.messages) == 1]
    assert begun[1] == begun[0] + 1, "the next attempt is for the next stronger model"


def test_circles_again_and_again_end_the_session_with_each_attempt_told(agents: AgentBench) -> None:
    agents.says("coder", *[call("read", path="stats.py")] * 50)
    outcome = agents.run()
    assert outcome.state == "UNSOLVED"
    assert len(outcome.attempts) == 2, "the same came a second time"
    assert all(attempt.candidate.files == () and not attempt.executions for attempt in outcome.attempts)


def test_each_failed_attempt_moves_the_coder_a_size_up(agents: AgentBench) -> None:
    agents.plugin_settings = {"review-model": {"when": "never"}, "search": {"near_miss_s": 0.0}}
    wrong = [edit(WRONG, FIRST), FINISH], [edit(FIRST, SECOND), FINISH]
    agents.says("coder", *wrong[0], *wrong[1], edit(SECOND, RIGHT), FINISH)
    agents.says("reflector", call("submit_reflection", wrong="It divides.", advice="Subtract.", next="repair"))
    assert agents.run().state == "SOLVED"
    begun = [request.step for request in agents.asked("coder") if len(request.messages) == 1]
    assert [step - begun[0] for step in begun] == [0, 1, 2]


def test_a_planner_that_declines_is_asked_again_before_the_person_is_told(agents: AgentBench) -> None:
    agents.replies.clear()
    agents.says("planner", ModelReply(text="No.", stop="refusal"), call("answer", text="It is in stats.py."))
    outcome = agents.run()
    assert (outcome.state, outcome.answer) == ("SOLVED", "It is in stats.py.")


# ---------------------------------------------------------------- the tester


def written(expected: str = "0", path: str = "test_spread.py") -> tuple[ModelReply, ModelReply]:
    return call("write", path=path, content=TESTS.format(expected)), call("submit_tests", summary="One value.")


def with_tester(agents: AgentBench) -> None:
    agents.plugin_settings = {"review-model": {"when": "never"}, "test-model": {"when": "complex"}}


def test_no_tests_are_written_unless_they_are_asked_for(agents: AgentBench) -> None:
    agents.plugin_settings = {"review-model": {"when": "never"}}
    agents.says("coder", *MEND)
    assert agents.run().state == "SOLVED"
    assert not agents.asked("tester")


def test_written_tests_count_where_all_is_approved_and_never_see_the_change(agents: AgentBench) -> None:
    with_tester(agents)
    one_off = "    return max(values) - min(values) if len(values) > 1 else 1"
    agents.replies.clear()
    agents.says("planner", call("submit_plan", **{**PLAN, "mends_failing_tests": False}))
    (agents.project / "test_stats.py").write_text("from stats import mean\n\n\ndef test_mean():\n    mean([1])\n")
    agents.says("tester", call("run_tests"), *written())
    agents.says("coder", edit(WRONG, one_off), FINISH, edit(one_off, RIGHT), call("run_tests"), FINISH)
    outcome = agents.run()
    assert outcome.state == "SOLVED", outcome
    first, second = outcome.attempts
    assert first.verdict.reasons == ("1 of 1 written tests fail",)
    assert first.reflection is not None and first.reflection.next == "repair"
    assert "1 of 1 written tests pass" in second.verdict.reasons
    # Written before anybody wrote the change; and the coder is shown, and can run, what it will be judged by.
    roles = [request.role for request in agents.heard]
    assert roles.index("coder") > max(at for at, role in enumerate(roles) if role == "tester")
    assert "def test_one_value" in agents.openings("coder")[0]
    ran = [r.text for m in agents.asked("coder")[-1].messages for r in m.results if "written-tests" in r.text]
    assert ran == ["tests: 1 passed\n\nwritten-tests: 1 passed"]
    # They are the person's to take, and no part of the change.
    (note,) = [note for note in outcome.notes if "lie in" in note]
    folder = Path(note.partition("lie in ")[2].partition(",")[0])
    assert (folder / "test_spread.py").read_text() == TESTS.format("0")
    assert outcome.winner is not None and [change.path for change in outcome.winner.candidate.files] == ["stats.py"]


def test_a_property_that_the_tester_writes_finds_what_no_example_shows(agents: AgentBench) -> None:
    agents.python = sys.executable  # it has hypothesis
    with_tester(agents)
    agents.plugin_settings |= {"search": {"near_miss_s": 0.0}}
    one_off = "    return max(values) - min(values) if max(values) < 1000 else 0"
    property_test = call("write", path="test_spread.py", content=PROPERTY)
    agents.says("tester", property_test, call("submit_tests", summary="The spread moves with nothing."))
    agents.says("coder", edit(WRONG, one_off), FINISH, edit(one_off, RIGHT), FINISH)
    outcome = agents.run()
    assert [attempt.verdict.state for attempt in outcome.attempts] == ["failed", "passed"], outcome
    assert outcome.attempts[0].verdict.reasons == ("1 of 1 written tests fail",)
    (said,) = [signal for signal in outcome.attempts[0].signals if signal.kind == "written tests"]
    assert "test_it_stays_when_all_values_move" in " ".join((said.summary, *said.details)), said


def test_a_change_can_not_take_the_place_of_the_written_tests(agents: AgentBench) -> None:
    with_tester(agents)
    agents.says("tester", *written("99"))
    agents.says("coder", call("write", path="test_spread.py", content="def test_x():\n    pass\n"), *MEND)
    agents.says("coder", *[call("finish", summary="The same.")] * 2)
    outcome = agents.run()
    assert outcome.state == "UNSOLVED"
    assert outcome.attempts[0].verdict.reasons == ("1 of 1 written tests fail",)


def test_in_review_written_tests_are_advice(agents: AgentBench) -> None:
    with_tester(agents)
    agents.approval = "review"
    agents.says("tester", *written("99"))
    agents.says("coder", *MEND)
    outcome = agents.run()
    assert (outcome.state, len(outcome.attempts)) == ("SOLVED", 1)
    (said,) = [signal for signal in outcome.attempts[0].signals if signal.kind == "written tests"]
    assert said.ok and "1 of 1 written tests fail; they are advice only: " in said.summary
    assert any("advice only (approval is `review`): test_spread.py" in note for note in outcome.notes)
    assert "def test_one_value" not in agents.openings("coder")[0]


def test_advice_is_left_out_where_it_would_be_over_the_budget(agents: AgentBench) -> None:
    with_tester(agents)
    agents.approval = "review"
    agents.says("tester", *written("99"))
    agents.says("coder", *MEND)
    agents.jobs = 2  # the tests before the change, and after it
    outcome = agents.run()
    assert (outcome.state, len(outcome.attempts)) == ("SOLVED", 1)
    assert any("advice only, were not run" in note and "budget.jobs" in note for note in outcome.notes)


def test_no_tests_are_written_where_they_would_be_over_the_budget(agents: AgentBench) -> None:
    with_tester(agents)
    agents.amounts = {"session": {"calls": 1}}
    outcome = agents.run()
    assert outcome.state == "OVER_BUDGET"
    assert any("no tests were written for the task" in note and "budget.calls" in note for note in outcome.notes)


def test_written_tests_are_kept_under_their_own_names(agents: AgentBench) -> None:
    with_tester(agents)
    agents.says("planner", call("submit_plan", **PLAN))
    agents.says("tester", *written("0", "test_100%.py"))
    agents.says("coder", edit(WRONG, FIRST), FINISH, edit(FIRST, SECOND), FINISH, *MEND)
    agents.says("reflector", call("submit_reflection", wrong="It is another place.", advice="Look.", next="replan"))
    outcome = agents.run()
    assert (outcome.state, len(outcome.attempts)) == ("SOLVED", 3)
    assert "1 of 1 written tests pass" in outcome.attempts[2].verdict.reasons[-1]
    (note,) = {note for note in outcome.notes if "lie in" in note}
    folder = Path(note.partition("lie in ")[2].partition(",")[0])
    assert [file.name for file in folder.iterdir()] == ["test_100%.py"]


@pytest.mark.parametrize(
    ("answer", "expected", "state", "reason"),
    [
        ("yes", "99", "failed", "1 of 1 written tests fail"),
        ("yes", "0", "passed", "1 of 1 written tests pass"),
        ("no", "99", "passed", "advice only"),
    ],
)
def test_with_ask_written_tests_are_shown_and_count_only_when_the_person_says_so(
    agents: AgentBench, answer: str, expected: str, state: str, reason: str
) -> None:
    with_tester(agents)
    agents.approval = "ask"
    agents.says("tester", *written(expected))
    agents.says("coder", *MEND, edit(RIGHT, f"{RIGHT}  #"), FINISH)
    assert agents.run().state == "NEEDS_PERSON"
    found = questions.open_question(agents.store.events(agents.id))
    assert found is not None and f"    assert spread([7]) == {expected}" in found[1].code[0].split("\n")
    assert not agents.asked("coder")
    questions.answer(agents.store, agents.id, answer)
    agents.again()
    questions.answer(agents.store, agents.id, "allow")
    outcome = agents.again()
    verdict = outcome.attempts[0].verdict
    assert (verdict.state, reason in verdict.reasons[-1]) == (state, True), verdict
    if state == "failed":  # the next attempt, whose change is asked about as well
        assert outcome.state == "NEEDS_PERSON"
        assert agents.openings("coder")[1].count("def test_one_value") == 1


def test_who_has_seen_the_tests_with_the_plan_lets_them_count(agents: AgentBench) -> None:
    with_tester(agents)
    agents.approval, agents.shows_plan = "review", True
    agents.says("tester", *written())
    agents.says("coder", *MEND)
    assert agents.run().state == "NEEDS_PERSON"
    found = questions.open_question(agents.store.events(agents.id))
    assert found is not None and "test_spread.py:" in found[1].details
    questions.answer(agents.store, agents.id, "go on")
    outcome = agents.again()
    assert outcome.state == "SOLVED"
    assert "def test_one_value" in agents.openings("coder")[0]
    assert len(agents.asked("tester")) == 2  # what was asked before the rest is not asked again


@pytest.mark.parametrize(
    ("path", "told"),
    [("spread_checks.py", "its name must be test_*.py"), ("test_stats.py", "test_stats.py is the project's own")],
)
def test_only_new_test_files_are_taken(agents: AgentBench, path: str, told: str) -> None:
    with_tester(agents)
    agents.says("tester", *written(path=path), call("finish", summary="There is nothing to test."))
    agents.says("coder", *MEND)
    outcome = agents.run()
    (refused,) = [result.text for m in agents.asked("tester")[-1].messages for result in m.results if result.failed]
    assert told in refused
    assert any("no tests were written for the task: There is nothing to test." in note for note in outcome.notes)
    assert not [signal for signal in outcome.attempts[0].signals if signal.kind == "written tests"]


def test_a_tester_in_text_is_understood(agents: AgentBench) -> None:
    with_tester(agents)
    agents.says("tester", ModelReply(text=f"```python test_spread.py\n{TESTS.format('0')}```\n\nOne value."))
    agents.says("coder", *MEND)
    outcome = agents.run()
    assert "1 of 1 written tests pass" in outcome.attempts[0].verdict.reasons


def test_a_new_plan_keeps_the_tests_of_the_first(agents: AgentBench) -> None:
    with_tester(agents)
    agents.says("planner", call("submit_plan", **PLAN))
    agents.says("tester", *written())
    agents.says("coder", edit(WRONG, FIRST), FINISH, edit(FIRST, SECOND), FINISH)
    agents.says("coder", *MEND)
    agents.says("reflector", call("submit_reflection", wrong="It is another place.", advice="Look.", next="replan"))
    outcome = agents.run()
    assert (outcome.state, len(outcome.attempts)) == ("SOLVED", 3)
    assert "1 of 1 written tests pass" in outcome.attempts[2].verdict.reasons
    assert len(agents.asked("tester")) == 2
    assert "It was followed, and did not hold: It is another place. Look." in agents.openings("planner")[1]


# ---------------------------------------------------------------- the reflector


def test_after_two_failed_attempts_a_model_says_what_to_do_instead(agents: AgentBench) -> None:
    agents.plugin_settings = {"review-model": {"when": "never"}}
    agents.says("coder", edit(WRONG, FIRST), FINISH, edit(FIRST, SECOND), FINISH)
    agents.says("coder", *MEND)
    agents.says("reflector", call("submit_reflection", wrong="Nothing is divided.", advice="Subtract.", next="another"))
    outcome = agents.run()
    assert outcome.state == "SOLVED"
    assert outcome.attempts[0].reflection is not None
    assert outcome.attempts[0].reflection.advice == "Mend what fails, and keep what holds."
    assert outcome.attempts[1].reflection is not None and outcome.attempts[1].reflection.advice == "Subtract."
    assert "Advice: Subtract." in agents.openings("coder")[2]
    assert "return 2 / 0" in agents.openings("reflector")[0]


def test_the_reflector_is_not_asked_where_the_rules_know_better(agents: AgentBench) -> None:
    agents.plugin_settings = {"review-model": {"when": "never"}}
    halves = ("    return 4", "    return 11")  # each mends one of the three tests
    agents.says(
        "coder", edit(WRONG, halves[0]), FINISH, edit(halves[0], halves[1]), FINISH, edit(halves[1], RIGHT), FINISH
    )
    outcome = agents.run()
    assert (outcome.state, len(outcome.attempts)) == ("SOLVED", 3)


def test_from_when_on_the_reflector_is_asked_can_be_set(agents: AgentBench) -> None:
    agents.plugin_settings = {"review-model": {"when": "never"}, "reflect-model": {"after": 1}}
    agents.says("coder", edit(WRONG, FIRST), FINISH, *MEND)
    agents.says("reflector", ModelReply(text="WRONG: It divides.\nADVICE: Subtract,\nand test.\nNEXT: another"))
    outcome = agents.run()
    assert outcome.attempts[0].reflection is not None
    assert outcome.attempts[0].reflection.advice == "Subtract,\nand test."


def test_where_no_model_can_reflect_the_rules_do(agents: AgentBench) -> None:
    agents.plugin_settings = {"review-model": {"when": "never"}}
    agents.says("coder", edit(WRONG, FIRST), FINISH, edit(FIRST, SECOND), FINISH)
    agents.says("coder", edit(SECOND, RIGHT), FINISH)
    agents.says("reflector", *[ModelReply(text="Hard to say.")] * 4)
    outcome = agents.run()
    assert outcome.state == "SOLVED"
    assert outcome.attempts[1].reflection is not None
    assert outcome.attempts[1].reflection.advice == "Mend what fails, and keep what holds."
    assert any("the reflector was given up" in note for note in outcome.notes)
