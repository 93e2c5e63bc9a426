"""What a plugin has run on its way to a change is held to the rules that hold for the change."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.loop.conftest import CHECK, change
from treadle.core import questions
from treadle.core.models.messages import Message, ModelRequest
from treadle.core.records import Approval, Candidate, FileChange, Finding, Job, Plan
from treadle.core.screening import Screening

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


def test_one_draft_that_may_not_run_does_not_hold_up_the_others(trial: Any) -> None:
    fine = Job(id="fine", argv=("true",), files=change().files)
    trial.jobs_of_the_draft = (fine, Job(id="tried", argv=("true",), files=DRAFT), SCRIPT)
    trial.parts.hooks["treadle_scan"] = scanner("ask")
    trial.run()
    assert trial.said[0] == ""
    assert all(said.startswith("not run: the person has to look at this first") for said in trial.said[1:])
    assert trial.parts.runs.count("fine") == 1
    assert "tried" not in trial.parts.runs


ASKS = Finding(rule="r", path="a.py", line=1, severity="ask", message="looks odd")
OTHER = change("x = 1 + 6\n").files


UNSEEN = msgspec.structs.replace(ASKS, rule="unscanned")


@pytest.mark.parametrize(
    ("found", "model_first", "runs"),
    [
        ((msgspec.structs.replace(ASKS, line=9),), False, True),  # the same, wherever in the file
        ((ASKS,), True, False),  # what a model made since is another change
        ((ASKS, msgspec.structs.replace(ASKS, message="looks odder")), False, False),
        ((msgspec.structs.replace(ASKS, rule="s"),), False, False),
        ((msgspec.structs.replace(ASKS, severity="deny"),), False, False),
        ((UNSEEN,), False, False),
    ],
    ids=["the same", "by a model", "one more", "another", "denied", "not looked at"],
)
def test_what_was_allowed_in_a_change_is_so_while_that_is_mended(
    trial: Any, found: tuple[Finding, ...], model_first: bool, runs: bool
) -> None:
    first = change("x = 0\n")

    def generate(request: Any, context: Any) -> Candidate:
        if not request.attempts:
            return first
        if model_first:
            context.complete(ModelRequest(role="coder", messages=(Message(role="user", text="?"),)))
        trial.said = [done.message for done in context.execute((Job(id="tried", argv=("true",), files=OTHER),))]
        return change()

    trial.parts.hooks["treadle_generate"] = generate
    trial.parts.hooks["treadle_scan"] = lambda candidate: found if candidate.files == OTHER else (ASKS, UNSEEN)
    assert trial.run().state == "NEEDS_PERSON"
    questions.answer(trial.store, trial.id, "allow")
    # The change that was found is another one, and asked about as any other.
    assert trial.again().state == "NEEDS_PERSON"
    assert ("tried" in trial.parts.runs) == runs
    assert (trial.said == [""]) == runs


WRITTEN = FileChange(path="test_new.py", content=b"def test_x():\n    assert True\n")


@pytest.mark.parametrize(
    ("severity", "says", "runs"),
    [("ask", "allow", True), ("ask", "ask", True), ("ask", "deny", False), ("deny", "allow", False)],
)
def test_what_the_person_has_read_and_lets_count_runs_unless_somebody_denies_it(
    trial: Any, severity: Any, says: Any, runs: bool
) -> None:
    """`says`: what a plugin does of what a scanner would have asked about."""
    finding = Finding(rule="r", path=WRITTEN.path, line=1, severity=severity, message="looks odd")
    told: list[str] = []

    def validate(request: Any, context: Any) -> tuple[()]:
        (done,) = context.execute((Job(id="written", argv=("true",), files=(*change().files, *request.plan.tests)),))
        told.append(done.message)
        return ()

    trial.approval = "ask"
    trial.jobs_of_the_draft = ()
    trial.parts.hooks["treadle_plan"] = lambda task: Plan(
        steps=("x",), checks=(CHECK,), files=("a.py",), tests=(WRITTEN,)
    )
    trial.parts.hooks["treadle_validate"] = validate
    trial.parts.hooks["treadle_scan"] = lambda candidate: (finding,) if WRITTEN in candidate.files else ()
    trial.parts.hooks["treadle_approve"] = lambda question: (
        Approval(say=says) if any(each.rule == "r" for each in question.concerns) else None
    )
    trial.run()
    questions.answer(trial.store, trial.id, "yes")
    trial.again()
    questions.answer(trial.store, trial.id, "allow")
    trial.again()
    assert ("written" in trial.parts.runs) == runs
    assert (told == [""]) == runs, told


def test_a_denied_change_leaves_nothing_allowed_that_could_be_mended(trial: Any) -> None:
    def generate(request: Any, context: Any) -> Candidate:
        if len(request.attempts) == 2:
            trial.said = [done.message for done in context.execute((Job(id="tried", argv=("true",), files=OTHER),))]
        return change(f"x = {2 + len(request.attempts)}\n")

    trial.parts.hooks["treadle_generate"] = generate
    trial.parts.hooks["treadle_scan"] = lambda candidate: (ASKS,)
    trial.run()
    for answer in ("allow", "deny"):
        questions.answer(trial.store, trial.id, answer)
        trial.again()
    assert trial.said[0].startswith("not run: the person has to look at this first")


def test_tests_that_were_read_may_run_though_a_change_with_them_was_denied() -> None:
    screening = Screening("ask")
    screening.read((WRITTEN,))
    screening.deny(Candidate(files=(*DRAFT, WRITTEN), why="with the tests in it"))
    assert screening.refuses(Candidate(files=(WRITTEN,), why="")) == ""
    assert screening.refuses(Candidate(files=(*DRAFT, WRITTEN), why=""))
