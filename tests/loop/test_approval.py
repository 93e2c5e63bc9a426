"""When a person is asked before a change is tried."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.loop.test_loop import finding
from treadle.core import questions
from treadle.core.records import Approval, Candidate, Execution, FileChange, Plan, Reflection, Signal
from treadle.core.replay import Recording
from treadle.core.strategy import Limit


def wrote(*paths: str, content: bytes = b"x = 1\n") -> Candidate:
    return Candidate(files=tuple(FileChange(path=path, content=content) for path in paths), why="as it was asked")


@pytest.fixture
def by_model(bench: Any) -> Any:
    """A session whose candidates a language model writes."""
    bench.kind = "run"
    plan = bench.parts.plan
    bench.parts.hooks["treadle_plan"] = lambda task: msgspec.structs.replace(
        plan(task), files=("a.py", "requirements.txt")
    )
    return bench


def asked(bench: Any) -> list[str]:
    outcome = bench.run()
    if outcome.state != "NEEDS_PERSON":
        assert outcome.state == "SOLVED"
        return []
    (event,) = [e for e in bench.events() if e.kind == "question.asked"]
    return list(event.data["question"]["details"])


@pytest.mark.parametrize(
    ("mode", "says"),
    [("auto", []), ("review", ["a.py:1: looks odd (r)"]), ("ask", ["a.py:1: looks odd (r)"])],
)
def test_a_finding_that_asks_is_asked_about_what_a_model_wrote(by_model: Any, mode: str, says: list[str]) -> None:
    by_model.approval = mode
    by_model.parts.hooks["treadle_scan"] = lambda candidate: (finding("ask"),)
    assert asked(by_model) == says


@pytest.mark.parametrize(("mode", "asks"), [("auto", False), ("review", True), ("ask", True)])
def test_files_outside_of_the_plan_are_asked_about(by_model: Any, mode: str, asks: bool) -> None:
    by_model.approval = mode
    plan = by_model.parts.plan
    by_model.parts.hooks["treadle_plan"] = lambda task: Plan(
        steps=("x",), checks=plan(task).checks, files=("a.py",), goal="change"
    )
    by_model.parts.hooks["treadle_generate"] = lambda request: wrote("a.py", "b.py")
    assert asked(by_model) == (["b.py: the plan does not name this file"] if asks else [])


def needs(package: str) -> Candidate:
    return Candidate(
        files=(
            FileChange(path="a.py", content=b"x = 1\n"),
            FileChange(path="requirements.txt", content=f"six\n{package}\n".encode()),
        ),
        why=f"it needs {package}",
    )


@pytest.mark.parametrize(
    ("task", "mode", "asks"),
    [("mend it", "auto", False), ("mend it", "review", True), ("remove f", "review", False), ("mend it", "ask", True)],
)
def test_definitions_that_nobody_said_are_to_go_are_asked_about(
    by_model: Any, task: str, mode: str, asks: bool
) -> None:
    by_model.approval = mode
    by_model.text = task
    (by_model.project / "a.py").write_text("def f():\n    pass\n")
    told = "a.py: f would be gone, and neither the task nor the plan says so"
    assert asked(by_model) == ([told] if asks else [])
    assert (told in by_model.again().notes) == (mode == "auto")


@pytest.mark.parametrize(("mode", "asks"), [("auto", False), ("review", True), ("ask", True)])
def test_a_new_dependency_is_asked_about(by_model: Any, mode: str, asks: bool) -> None:
    by_model.approval = mode
    (by_model.project / "requirements.txt").write_text("six\n")
    by_model.parts.hooks["treadle_generate"] = lambda request: needs("pytest")
    assert asked(by_model) == (["requirements.txt: a new dependency, pytest"] if asks else [])


@pytest.mark.parametrize("mode", ["auto", "review"])
def test_one_that_is_not_there_is_asked_about_in_every_mode_and_once(by_model: Any, mode: str) -> None:
    by_model.approval = mode
    (by_model.project / "requirements.txt").write_text("six\n")
    by_model.parts.hooks["treadle_generate"] = lambda request: needs("leftpad-that-is-nowhere>=1")
    assert asked(by_model)[0] == "leftpad-that-is-nowhere>=1"


def test_what_is_said_of_an_index_settles_no_package_from_elsewhere(by_model: Any) -> None:
    by_model.approval = "review"
    package = "nowhere\nnowhere @ https://evil.example/nowhere.tgz"
    by_model.parts.hooks["treadle_generate"] = lambda request: needs(package)
    (by_model.project / "requirements.txt").write_text("six\n")
    assert asked(by_model) == ["requirements.txt: a new dependency, nowhere"]


@pytest.mark.parametrize("answered_before", [True, False])
def test_what_the_person_has_denied_stays_denied_whatever_the_settings_say_later(
    by_model: Any, answered_before: bool
) -> None:
    by_model.approval = "ask"
    by_model.parts.hooks["treadle_generate"] = lambda request: wrote(
        "a.py", content=b"x = 1\n# another\n" if request.attempts else b"x = 1\n"
    )
    assert by_model.run().state == "NEEDS_PERSON"
    questions.answer(by_model.store, by_model.id, "deny", "not so")
    if answered_before:
        assert len(by_model.again().attempts) == 1, "and the next one is asked about"
    by_model.approval = "auto"
    outcome = by_model.again()
    assert [attempt.verdict.state for attempt in outcome.attempts] == ["denied", "passed"]
    assert outcome.attempts[0].verdict.words == "not so"

    said = tuple(event for event in by_model.events() if event.kind == "question.answered")
    again = by_model.session(by_model.create(), replayed=Recording(by_model.id, said)).run()
    assert [attempt.verdict.state for attempt in again.attempts] == ["denied", "passed"]


@pytest.mark.parametrize("severity", ["deny", "ask", "note"])
def test_an_attempt_that_has_ended_stays_as_it_was_judged_when_the_rules_are_others(
    by_model: Any, severity: str
) -> None:
    by_model.approval = "review"
    by_model.limit = Limit(ladder=("generate",))
    by_model.parts.hooks["treadle_generate"] = lambda request: wrote("a.py", content=b"x = 2\n")
    by_model.parts.hooks["treadle_scan"] = lambda candidate: (finding("ask"),)
    by_model.severities = {"r": "deny" if severity == "note" else "note"}
    first = by_model.run()
    assert first.state == "NEEDS_PERSON"
    runs = list(by_model.parts.runs)
    by_model.severities = {"r": severity}
    again = by_model.again()
    assert again.state == "NEEDS_PERSON"
    assert [attempt.verdict for attempt in again.attempts] == [attempt.verdict for attempt in first.attempts]
    assert by_model.parts.runs == runs


def test_all_that_a_model_wrote_is_asked_about_when_the_person_wants_that(by_model: Any) -> None:
    by_model.approval = "ask"
    assert asked(by_model) == ["it changes a.py: wrote 'x = 1\\n'"]
    (event,) = [e for e in by_model.events() if e.kind == "question.asked"]
    assert event.data["question"]["code"] == ["new file mode 100644\n@@ -0,0 +1 @@\n+x = 1"], (
        "with the code that it is about"
    )
    questions.answer(by_model.store, by_model.id, "allow")
    assert by_model.again().state == "SOLVED"


def test_what_was_found_by_a_search_is_not_reviewed(bench: Any) -> None:
    bench.approval = "review"
    bench.parts.hooks["treadle_scan"] = lambda candidate: (finding("ask"),)
    assert asked(bench) == []


def test_what_a_person_denies_does_not_run_and_says_why(by_model: Any) -> None:
    by_model.approval = "ask"
    asked(by_model)
    questions.answer(by_model.store, by_model.id, "deny")
    outcome = by_model.again()
    assert outcome.attempts[0].verdict.reasons == ("it changes a.py: wrote 'x = 1\\n'",)
    assert outcome.attempts[0].verdict.state == "denied"
    assert by_model.parts.runs == ["check"], "only the baseline ran"


def test_a_plugin_can_deny_what_would_not_be_asked(by_model: Any) -> None:
    by_model.approval = "auto"
    by_model.parts.hooks["treadle_scan"] = lambda candidate: (finding("ask"),)
    by_model.parts.hooks["treadle_approve"] = lambda question: Approval(say="deny")
    by_model.run()
    assert by_model.parts.runs == ["check"]


def test_nothing_is_changed_where_only_reading_is_allowed(by_model: Any) -> None:
    by_model.approval = "read-only"
    outcome = by_model.run()
    assert (outcome.state, outcome.attempts) == ("UNSOLVED", ())
    assert "read-only" in outcome.reason


def test_a_wanted_change_is_made_although_the_checks_pass_and_is_taken_when_it_is_no_worse(bench: Any) -> None:
    (check,) = bench.parts.plan(bench.task()).checks
    bench.parts.hooks["treadle_execute"] = lambda jobs: tuple(Execution(job=job.id, verdict="ok") for job in jobs)
    bench.parts.hooks["treadle_validate"] = lambda: (Signal(kind="tests", ok=False, summary="one still fails"),)
    bench.parts.hooks["treadle_plan"] = lambda: Plan(steps=("x",), checks=(check,), goal="change")
    outcome = bench.run()
    assert (outcome.state, len(outcome.attempts)) == ("SOLVED", 1)


WRITTEN = (FileChange(path="test_new.py", content=b"def test_x():\n    assert True\n"),)


@pytest.mark.parametrize(("mode", "counts"), [("auto", True), ("review", False)])
@pytest.mark.parametrize("claimed", [True, False])
def test_whether_written_tests_count_is_for_the_approval_and_no_planner_to_say(
    bench: Any, mode: str, counts: bool, claimed: bool
) -> None:
    (check,) = bench.parts.plan(bench.task()).checks
    plan = Plan(steps=("x",), checks=(check,), tests=WRITTEN, tests_count=claimed)
    bench.parts.hooks["treadle_plan"] = lambda: plan
    seen = []
    bench.parts.hooks["treadle_validate"] = lambda request: seen.append(request.plan.tests_count)
    bench.approval = mode
    outcome = bench.run()
    assert seen == [counts]
    assert any("advice only" in note for note in outcome.notes) is not counts


def test_written_tests_are_asked_about_once_though_a_second_plan_has_them_too(bench: Any) -> None:
    (check,) = bench.parts.plan(bench.task()).checks
    bench.parts.hooks["treadle_plan"] = lambda: Plan(steps=("x",), checks=(check,), tests=WRITTEN)
    bench.parts.hooks["treadle_reflect"] = lambda attempts: Reflection(wrong="", advice="", next="replan")
    seen = []
    bench.parts.hooks["treadle_validate"] = lambda request: (
        seen.append(request.plan.tests_count) or (Signal(kind="tests", ok=len(seen) > 1, summary="."),)
    )
    bench.approval = "ask"
    assert bench.run().state == "NEEDS_PERSON"
    found = questions.open_question(bench.store.events(bench.id))
    assert found is not None
    assert (found[1].details, found[1].code) == (("test_new.py:",), ("def test_x():\n    assert True",))
    questions.answer(bench.store, bench.id, "yes")
    assert bench.again().state == "SOLVED"
    assert seen == [True, True]


@pytest.mark.parametrize(("answer", "then"), [("no", "auto"), ("yes", "review")])
def test_what_was_answered_of_written_tests_holds_whatever_the_settings_say_later(
    bench: Any, answer: str, then: str
) -> None:
    (check,) = bench.parts.plan(bench.task()).checks
    bench.parts.hooks["treadle_plan"] = lambda: Plan(steps=("x",), checks=(check,), tests=WRITTEN)
    seen = []
    bench.parts.hooks["treadle_validate"] = lambda request: seen.append(request.plan.tests_count)
    bench.approval = "ask"
    assert bench.run().state == "NEEDS_PERSON"
    questions.answer(bench.store, bench.id, answer)
    bench.approval = then
    assert bench.again().state == "SOLVED"
    assert seen == [answer == "yes"]


def test_other_tests_of_a_later_plan_are_shown_before_they_count(bench: Any) -> None:
    (check,) = bench.parts.plan(bench.task()).checks
    others = (msgspec.structs.replace(WRITTEN[0], content=b"def test_x():\n    assert False\n"),)
    plans = iter([WRITTEN, others, others])
    bench.parts.hooks["treadle_plan"] = lambda: Plan(steps=("x",), checks=(check,), tests=next(plans))
    bench.parts.hooks["treadle_reflect"] = lambda attempts: Reflection(wrong="", advice="", next="replan")
    seen = []
    bench.parts.hooks["treadle_validate"] = lambda request: (
        seen.append(request.plan.tests_count) or (Signal(kind="tests", ok=len(seen) > 1, summary="."),)
    )
    bench.approval, bench.shows_plan = "review", True
    assert bench.run().state == "NEEDS_PERSON"
    questions.answer(bench.store, bench.id, "go on")
    assert bench.again().state == "NEEDS_PERSON", "a plan is shown whenever there is another one"
    assert seen == [True]
    found = questions.open_question(bench.store.events(bench.id))
    assert found is not None and "    assert False" in "\n".join(found[1].code)
    questions.answer(bench.store, bench.id, "go on")
    outcome = bench.again()
    assert outcome.state == "SOLVED"
    assert seen == [True, True]


@pytest.mark.parametrize(("protected", "state"), [((("*.py",), ()), "UNSOLVED"), (((), ("a.*",)), "NEEDS_PERSON")])
def test_files_that_the_person_protects_are_denied_or_asked_about(bench: Any, protected: Any, state: str) -> None:
    bench.protected, bench.approval, bench.limit = protected, "ask", Limit(ladder=("generate",), maximum=1)
    outcome = bench.run()
    assert outcome.state == state
    assert bench.parts.runs == ["check"], "only the baseline ran"
    asked = questions.open_question(bench.store.events(bench.id))
    said = asked[1].details if asked is not None else outcome.attempts[0].verdict.reasons
    assert said[0].startswith("a.py: this file"), "a finding on a whole file names no line of it"


def test_an_answer_is_all_that_a_question_needs(bench: Any) -> None:
    bench.parts.hooks["treadle_plan"] = lambda: Plan(steps=(), checks=(), answer="It is in a.py.")
    outcome = bench.run()
    assert (outcome.state, outcome.answer, outcome.attempts) == ("SOLVED", "It is in a.py.", ())
    assert bench.parts.runs == []
