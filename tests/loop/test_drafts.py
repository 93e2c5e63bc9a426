"""What a plugin has run on its way to a change is held to the rules that hold for the change."""

from __future__ import annotations

from typing import Any

import pytest

from tests.loop.conftest import CHECK, change
from treadle.core import questions
from treadle.core.records import Approval, Candidate, FileChange, Finding, Job, Plan

DRAFT = change("x = 7\n").files
SCRIPT = Job(id="tried", script="print(open('/etc/passwd'))", by_model=True)


@pytest.fixture
def trial(bench: Any) -> Any:
    """A session in which a model writes, and tries its draft first; `jobs` are what it has run, `said` what came of
    them."""
    bench.kind = "run"
    bench.approval = "review"
    bench.jobs_of_the_draft = (Job(id="tried", argv=("true",), files=DRAFT),)
    bench.said = []

    def generate(request: Any, context: Any) -> Candidate:
        bench.said += [execution.message for execution in context.execute(bench.jobs_of_the_draft)]
        return change()

    bench.parts.hooks["treadle_plan"] = lambda task: Plan(steps=("x",), checks=(CHECK,), files=("a.py",))
    bench.parts.hooks["treadle_generate"] = generate
    return bench


def scanner(severity: Any) -> Any:
    """One that objects to a draft alone."""

    def scan(candidate: Candidate) -> tuple[Finding, ...]:
        odd = [file.path for file in candidate.files if file.content != b"x = 1\n"]
        return tuple(Finding(rule="r", path=path, line=1, severity=severity, message="looks odd") for path in odd)

    return scan


def ran(trial: Any) -> bool:
    trial.run()
    return "tried" in trial.parts.runs


def test_a_draft_of_which_nobody_has_said_anything_runs(trial: Any) -> None:
    assert ran(trial)
    assert trial.said == [""]


@pytest.mark.parametrize(
    ("mode", "severity", "says"),
    [
        ("auto", "deny", "not run: this is not allowed, do it another way: a.py:1: looks odd (r)"),
        ("review", "deny", "not run: this is not allowed, do it another way: a.py:1: looks odd (r)"),
        ("review", "ask", "not run: the person has to look at this first; do it another way, or finish, and they are"),
        ("auto", "ask", ""),
        ("review", "note", ""),
        ("ask", "note", "not run: the person sees a change before any of it runs (approval is `ask`)"),
    ],
)
def test_what_may_not_run_unseen_does_not_run(trial: Any, mode: str, severity: str, says: str) -> None:
    trial.approval = mode
    trial.parts.hooks["treadle_scan"] = scanner(severity)
    assert ran(trial) == (not says)
    assert trial.said[0].startswith(says)


def test_a_script_of_the_model_is_looked_at_as_its_files_are(trial: Any) -> None:
    trial.jobs_of_the_draft = (SCRIPT,)
    trial.parts.hooks["treadle_scan"] = scanner("deny")
    assert not ran(trial)
    assert "treadle-script.py:1: looks odd (r)" in trial.said[0]


def test_a_script_of_treadles_own_is_not(trial: Any) -> None:
    trial.jobs_of_the_draft = (Job(id="tried", script="print(1)"),)
    trial.approval = "ask"
    assert ran(trial)


def test_protected_files_hold_for_drafts(trial: Any) -> None:
    trial.protected = (("*.py",), ())
    assert not ran(trial)
    assert "this file is protected by the setting paths.deny" in trial.said[0]


def test_a_plugin_can_hold_up_what_the_settings_would_let_run(trial: Any) -> None:
    trial.approval = "auto"
    trial.parts.hooks["treadle_scan"] = scanner("ask")
    trial.parts.hooks["treadle_approve"] = lambda question: Approval(say="ask", why="house rule")
    assert not ran(trial)


def test_what_the_person_has_denied_is_not_tried_again_on_the_way(trial: Any) -> None:
    trial.jobs_of_the_draft = (Job(id="tried", argv=("true",), files=change().files),)
    trial.parts.hooks["treadle_plan"] = lambda task: Plan(steps=("x",), checks=(CHECK,), files=("b.py",))
    trial.run()
    assert trial.said == [""]
    questions.answer(trial.store, trial.id, "deny")
    trial.again()
    assert trial.said[1:2] == ["not run: the person has denied this change of a.py; do it another way"]


def test_what_the_loop_has_asked_about_runs_in_every_later_stage(trial: Any) -> None:
    trial.parts.hooks["treadle_scan"] = lambda candidate: (
        Finding(rule="r", path="a.py", line=1, severity="ask", message="looks odd"),
    )
    told: list[str] = []

    def validate(candidate: Candidate, context: Any) -> tuple[()]:
        job = Job(id="checked", argv=("true",), files=candidate.files)
        told.extend(execution.message for execution in context.execute((job,)))
        return ()

    trial.parts.hooks["treadle_validate"] = validate
    trial.run()
    questions.answer(trial.store, trial.id, "allow")
    trial.again()
    assert "checked" in trial.parts.runs
    assert told == [""]


@pytest.mark.parametrize("path", ["./migrations/1.py", "%6Digrations/1.py", "migrations//1.py"])
def test_a_name_is_compared_with_patterns_in_its_one_spelling(trial: Any, path: str) -> None:
    trial.protected = (("migrations/**",), ())
    trial.parts.hooks["treadle_generate"] = lambda request: Candidate(
        files=(FileChange(path=path, content=b"x = 1\n"),), why="in disguise"
    )
    outcome = trial.run()
    assert outcome.attempts[0].verdict.state == "denied"
    assert outcome.attempts[0].candidate.files[0].path == "migrations/1.py"
