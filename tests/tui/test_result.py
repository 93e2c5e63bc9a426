from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from tests.core.test_excerpts import new_files
from treadle.core.approval import run_question
from treadle.core.events import Event
from treadle.core.model_use import use_of
from treadle.core.records import (
    Attempt,
    Candidate,
    CollectedFile,
    Concern,
    Execution,
    FileChange,
    Finding,
    Outcome,
    Question,
    Reflection,
    Signal,
    Task,
    Verdict,
)
from treadle.core.testrun import REPORT, TestReport, TestResult
from treadle.tui.exit_codes import MEANING, ExitCode, of_error, of_outcome
from treadle.tui.result import result_of, to_text


def task(kind: Any = "fix") -> Task:
    return Task(id="t", kind=kind, project="/p", python="python3")


def run(*tests: tuple[str, Any], problems: tuple[tuple[str, str], ...] = ()) -> Execution:
    report = TestReport(
        complete=True,
        tests=tuple(TestResult(id=name, outcome=outcome) for name, outcome in tests),
        problems=tuple(TestResult(id=name, outcome="error", message=why) for name, why in problems),
    )
    return Execution(
        job="tests", verdict="ok", files=(CollectedFile(name=REPORT, content=msgspec.json.encode(report)),)
    )


def attempt(state: Any, *, findings: tuple[Finding, ...] = (), ok: bool = True) -> Attempt:
    return Attempt(
        number=1,
        candidate=Candidate(
            files=(FileChange(path="a.py", content=b""),), why="`<` becomes `<=`", remedy="op", tried=3, total=9
        ),
        findings=findings,
        executions=(run(("t::a", "passed"), ("t::b", "passed")),),
        signals=(Signal(kind="tests", ok=ok, summary="2 of 2 pass", details=("why it failed",)),),
        verdict=Verdict(state=state, reasons=("because",)),
    )


def outcome(state: Any, *attempts: Attempt, kind: Any = "fix", reason: str = "") -> Outcome:
    baseline = (run(("t::a", "failed"), ("t::b", "passed")),)
    return Outcome(task=task(kind), state=state, attempts=attempts, baseline=baseline, reason=reason)


def text(found: Outcome, patch: str = "", question: Question | None = None) -> str:
    return to_text(result_of("s1", found, patch=patch, seconds=1.5, applied=False, question=question))


def test_a_repair_is_shown_with_its_patch_and_its_evidence() -> None:
    shown = text(outcome("SOLVED", attempt("passed")), patch="-x < 1\n+x <= 1\n")
    assert shown.startswith("Fixed: `<` becomes `<=`\n\n-x < 1\n+x <= 1\n")
    for part in ("1 failed before, pass now", "t::a", "2 pass", "3 of 9 candidates", "1.5 s", "resume s1 --apply"):
        assert part in shown


def test_no_line_of_a_patch_is_hidden_behind_another() -> None:
    shown = text(outcome("SOLVED", attempt("passed")), patch="-x < 1\n+evil()\r+x <= 1\n+\x1b[8mevil()\n")
    assert "\n+evil()\\015+x <= 1\n+\\033[8mevil()\n" in shown


def test_a_test_that_the_patch_renames_is_told_by_both_names() -> None:
    patch = "--- a/t.py\n+++ b/t.py\n@@ -1,2 +1,2 @@\n-def test_a(x):\n+def test_b(x):\n     assert x\n"
    made = msgspec.structs.replace(attempt("passed"), executions=(run(("t.py::test_b[1]", "passed")),))
    before = (run(("t.py::test_a[1]", "failed")),)
    said = text(msgspec.structs.replace(outcome("SOLVED", made, kind="run"), baseline=before), patch)
    assert "1 failed before, pass now:\n            t.py::test_a[1], now test_b[1]\n" in said


def test_a_test_that_fails_with_the_change_as_well_is_not_said_to_pass() -> None:
    def shown(before: Execution, *now: Execution, files: tuple[FileChange, ...] = ()) -> str:
        made = attempt("passed", ok=False)
        made = msgspec.structs.replace(made, executions=now)
        if files:
            made = msgspec.structs.replace(made, candidate=Candidate(files=files, why="because"))
        return text(msgspec.structs.replace(outcome("SOLVED", made, kind="run"), baseline=(before,)))

    tests = run(("t::mended", "failed"), ("t::left", "failed"), ("t::gone", "error"))
    said = shown(tests, run(("t::mended", "passed"), ("t::left", "error"), ("t::new", "failed")))
    assert (
        "Tests     1 failed before, pass now:\n            t::mended\n"
        "          1 failed before, still fail:\n            t::left\n"
        "          1 failed before, were not run now:\n            t::gone\n"
    ) in said
    assert "pass now" not in shown(tests)  # nothing was run after it

    def cannot_import(why: str) -> Execution:
        return run(problems=(("test_a.py", why),))

    assert "1 failed before, still fail:\n            test_a.py: no m in line 3" in shown(
        cannot_import("no m in line 3"), cannot_import("no m in line 4")
    )
    mended = run(("test_a.py::x", "passed"))
    assert "1 failed before, pass now:\n            test_a.py: no m" in shown(cannot_import("no m"), mended)
    deleted = (FileChange(path="test_a.py", content=None),)
    assert "pass now" not in shown(cannot_import("no m"), run(("test_b.py::x", "passed")), files=deleted)


def test_what_speaks_against_a_candidate_is_shown_with_its_details() -> None:
    shown = text(outcome("UNSOLVED", attempt("failed", ok=False), kind="check"))
    assert shown.startswith("Checked: there are findings")
    assert "Check     against tests: 2 of 2 pass" in shown
    assert "why it failed" in shown


def test_a_refusal_names_what_denied_it() -> None:
    denies = Finding(rule="r", path="a.py", line=2, severity="deny", message="it deletes your home")
    found = outcome("UNSOLVED", attempt("denied", findings=(denies,)))
    assert of_outcome(found) == ExitCode.REFUSED
    assert text(found).startswith("Refused: a.py:2: it deletes your home (r)")


def test_of_very_many_findings_the_worst_are_shown_and_the_rest_counted() -> None:
    def finding(severity: Any, line: int) -> Finding:
        return Finding(rule="r", path="a.py", line=line, severity=severity, message="m")

    many = (*(finding("note", line) for line in range(100_000)), finding("ask", 7))
    found = msgspec.structs.replace(
        outcome("SOLVED", attempt("passed", findings=many), kind="check"), notes=("n",) * 60
    )
    shown = text(found).splitlines()
    assert shown.count("          and 99951 more; --json tells all") == 1
    assert shown.count("          and 10 more; --json tells all") == 1
    lines = [line for line in shown if line.startswith("Finding ")]
    assert len(lines) == 50
    assert lines[0] == "Finding   ask a.py:7: m (r)"
    assert len(result_of("s1", found, patch="", seconds=1, applied=False).findings) == 100_001
    denied = text(outcome("UNSOLVED", attempt("denied", findings=tuple(finding("deny", n) for n in range(1000)))))
    assert len(denied) < 20_000


def test_a_check_that_runs_but_asks_is_no_clean_one() -> None:
    asks = Finding(rule="r", path="a.py", line=2, severity="ask", message="starts a process")
    found = outcome("SOLVED", attempt("passed", findings=(asks,)), kind="check")
    assert of_outcome(found) == ExitCode.NOT_SOLVED
    assert "findings to look at" in text(found)
    assert of_outcome(outcome("SOLVED", attempt("passed", findings=(asks,)))) == ExitCode.OK


def test_a_check_that_could_not_look_at_everything_says_so() -> None:
    asks = Finding(rule="r", path="a.py", line=2, severity="ask", message="starts a process")
    for whole, code, headline in (
        (outcome("SOLVED", attempt("passed"), kind="check"), 0, "Checked: nothing was found, but not everything could"),
        (outcome("SOLVED", attempt("passed", findings=(asks,)), kind="check"), 1, "look at. Not everything could be"),
        (outcome("UNSOLVED", attempt("failed"), kind="check"), 1, "Checked: there are findings. Not everything could"),
    ):
        partial = msgspec.structs.replace(whole, partial=True)
        assert "could be looked at" not in text(whole)
        assert headline in text(partial).splitlines()[0]
        # For what was left aside of the input its exit code stays; where a plugin has not looked, it is never clean.
        assert of_outcome(partial) == of_outcome(whole) == code
        assert of_outcome(msgspec.structs.replace(partial, short_of_plugins=True)) == 1
        assert result_of("s1", partial, patch="", seconds=1, applied=False).partial


def test_what_came_nearest_is_told_beside_a_refusal_of_the_last_one() -> None:
    denies = Finding(rule="r", path="a.py", line=2, severity="deny", message="it deletes your home")
    last = msgspec.structs.replace(attempt("denied", findings=(denies,)), number=2, executions=(), signals=())
    shown = text(outcome("UNSOLVED", attempt("failed"), last, kind="run"))
    assert shown.startswith("Refused: a.py:2: it deletes your home (r)\n")
    assert "Nearest   attempt 1 of 2: 1 of 1 failing test mended, none broken" in shown
    assert "--from 1 --reject" in shown
    assert result_of("s1", outcome("UNSOLVED", last), patch="", seconds=1, applied=False).nearest == 0


def test_what_it_broke_is_named_and_what_no_check_says_as_well() -> None:
    said = Verdict(state="failed", reasons=("the person says: not like this",))
    thought = Reflection(wrong="It is the wrong file", advice="look into b.py")
    made = msgspec.structs.replace(
        attempt("failed"),
        executions=(
            run(
                ("t::a", "failed"),
            ),
        ),
        verdict=said,
        reflection=thought,
    )
    shown = text(outcome("UNSOLVED", made, kind="run"))
    assert "Nearest   attempt 1 of 1: 0 of 1 failing test mended, 1 broken that passed before" in shown
    assert "1 passed before, do not now:\n            t::b" in shown
    for line in ("Because   the person says: not like this", "Because   It is the wrong file", "look into b.py"):
        assert line in shown
    assert "the others" not in shown
    repeats = Reflection(wrong="tests: 2 of 2 pass: why it failed", advice="")
    repeats_it = msgspec.structs.replace(attempt("failed", ok=False), reflection=repeats)
    assert "Because   tests:" not in text(outcome("UNSOLVED", repeats_it, kind="run"))


def test_where_nothing_was_run_the_checks_are_counted() -> None:
    made = msgspec.structs.replace(attempt("failed", ok=False), executions=())
    shown = text(msgspec.structs.replace(outcome("UNSOLVED", made, kind="run"), baseline=()))
    assert "Nearest   attempt 1 of 1: 0 of 1 check holds" in shown


def test_only_of_what_has_ended_the_nearest_change_is_shown() -> None:
    def shown(state: Any, **more: Any) -> str:
        result = result_of(
            "s1", outcome(state, attempt("failed"), kind="run"), patch="", seconds=1, applied=False, **more
        )
        return to_text(result)

    assert "+x" in shown("UNSOLVED", nearest_patch="+x")
    assert "+x" in shown("OVER_BUDGET", nearest_patch="+x")
    question = Question(id="go-on-1", text="Go on?", options=("go on", "stop"))
    asks = shown("NEEDS_PERSON", nearest_patch="+x", question=question)
    assert "+x" not in asks
    assert "See the nearest with: treadle show s1 --attempt 1 --diff" in asks


def test_a_question_is_shown_with_its_options() -> None:
    question = Question(id="q", text="Go on?", options=("go on", "stop"))
    shown = text(outcome("NEEDS_PERSON", reason="Go on?"), question=question)
    assert "Go on? (go on / stop)" in shown
    assert "--answer 'go on'" in shown
    assert "--diff" not in shown
    made = new_files(**{"a.py": b"run(['make'],  0)\n"})
    may_it_run = run_question((Concern(rule="process", path="a.py", line=1, message="it starts a process"),), made)
    shown = text(outcome("NEEDS_PERSON", attempt("failed"), reason="May it?"), question=may_it_run)
    assert "See the change with: treadle show s1 --attempt 2 --diff" in shown
    assert "\n  a.py:1: it starts a process (process)\n    >    1  run(['make'],  0)\n" in shown, "blanks are kept"


def test_text_of_others_can_not_reach_the_terminal_as_an_escape() -> None:
    evil = "\x1b]0;owned\x07\x1b[2Jtests/x.py::test[\x1b[31m]"
    made = attempt("failed")
    made = msgspec.structs.replace(made, candidate=msgspec.structs.replace(made.candidate, remedy=evil))
    found = Outcome(
        task=task(),
        state="NEEDS_PERSON",
        attempts=(made,),
        baseline=(run((evil, "failed")),),
        reason=evil,
        notes=(evil,),
    )
    question = Question(id="q", text=evil, options=(evil, "stop"), details=(evil,))
    shown = text(found, patch=f"+{evil}\n", question=question)
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "tests/x.py::test[]" in shown


def test_a_change_that_nothing_was_run_with_is_not_simply_done() -> None:
    made = attempt("passed")
    assert text(outcome("SOLVED", made, kind="run")).startswith("Done: ")
    never_run = msgspec.structs.replace(made, executions=())
    assert text(outcome("SOLVED", never_run, kind="run")).startswith("Done, untested: ")
    skipped = msgspec.structs.replace(made, executions=(run(("a", "skipped")),))
    assert text(outcome("SOLVED", skipped, kind="run")).startswith("Done, untested: ")
    failed = msgspec.structs.replace(made, executions=(run(("a", "failed")),))
    found = Outcome(task=task("run"), state="SOLVED", attempts=(failed,), baseline=(run(("a", "failed")),))
    assert text(found).startswith("Done, though 1 test fails as before, and none passes: ")


def test_tests_that_fail_as_before_stand_beside_what_is_said_of_the_change() -> None:
    made = msgspec.structs.replace(attempt("passed"), executions=(run(("a", "failed"), ("b", "passed")),))
    found = Outcome(
        task=task("run"), state="SOLVED", attempts=(made,), baseline=(run(("a", "failed"), ("b", "passed")),)
    )
    assert text(found).startswith("Done, though 1 test fails as before: ")


@pytest.mark.parametrize(
    ("state", "code"), [("SOLVED", 0), ("UNSOLVED", 1), ("OVER_BUDGET", 4), ("NEEDS_PERSON", 5), ("STOPPED", 130)]
)
def test_every_end_has_its_exit_code_and_every_code_its_meaning(state: Any, code: int) -> None:
    assert of_outcome(outcome(state)) == code
    assert MEANING[ExitCode(code)]


def test_an_interruption_has_its_code() -> None:
    assert of_error(KeyboardInterrupt()) == 130
    assert of_error(ValueError()) == 1


def test_the_result_of_a_program_is_one_json_object() -> None:
    result = result_of("s1", outcome("SOLVED", attempt("passed")), patch="+x", seconds=1.234, applied=True)
    plain = json.loads(msgspec.json.encode(result))
    assert (plain["kind"], plain["applied"], plain["seconds"], plain["files"]) == ("result", True, 1.23, ["a.py"])


def test_tokens_that_a_service_does_not_tell_are_not_none() -> None:
    told, untold = {"model": "a/b", "usage": {"input": 7, "output": 3}, "usd": 0.5}, {"model": "a/b", "usage": None}
    events = events_of(told, untold)
    assert line_of_models(events[1:]) == "Models    1 request to a/b, tokens not told for 1, price unknown for 1"
    assert line_of_models(events) == (
        "Models    2 requests to a/b, 7 tokens read, 3 written, tokens not told for 1, $0.5000, price unknown for 1"
    )


def test_where_the_price_is_known_what_is_not_told_is_estimated() -> None:
    told, guessed, free = (
        {"model": "a/b", "usage": {"input": 7, "output": 3}, "usd": 0.5},
        {"model": "a/b", "usage": None, "usd": 0.25},
        {"model": "a/b", "usage": None, "usd": 0.0},
    )
    assert line_of_models(events_of(guessed)) == "Models    1 request to a/b, tokens not told for 1, about $0.2500"
    assert line_of_models(events_of(free)) == "Models    1 request to a/b, tokens not told for 1, $0.0000"
    assert line_of_models(events_of(told, guessed)) == (
        "Models    2 requests to a/b, 7 tokens read, 3 written, tokens not told for 1, about $0.7500"
    )


def test_requests_without_a_reply_are_told_as_well() -> None:
    assert line_of_models([failure("busy", 0)]) == "Models    1 request to c/d, 1 without a reply"
    failed = [failure("broken", 0, may_be_paid=True), failure("unreachable", 1)]
    assert line_of_models(failed) == "Models    2 requests to c/d, 2 without a reply (1 may be paid for)"
    answered = events_of({"model": "a/b", "usage": {"input": 7, "output": 3}, "usd": 0.5})
    assert line_of_models([*failed, *answered]) == (
        "Models    3 requests to c/d, a/b, 2 without a reply (1 may be paid for), 7 tokens read, 3 written, $0.5000"
    )


def test_what_an_interruption_has_cut_off_may_be_paid_for() -> None:
    def asked(call: str, seq: int) -> Event:
        data = {"call": call, "model": "a/b", "usd": 0.25}
        return Event(seq=seq, session="s", time=0.0, kind="model.asked", data=data)

    answer = {"key": "one", "model": "a/b", "usage": {"input": 7, "output": 3}, "usd": 0.5}
    cut_off = "1 without a reply (1 may be paid for, about $0.2500)"
    assert line_of_models([asked("one", 0)]) == f"Models    1 request to a/b, {cut_off}"
    # It is sent again when the session goes on, beside another one that is answered.
    events = [asked("one", 0), asked("two", 1), *events_of({**answer, "key": "two"}), asked("one", 3)]
    assert line_of_models([*events, *events_of(answer)]) == (
        f"Models    3 requests to a/b, {cut_off}, 14 tokens read, 6 written, $1.0000"
    )
    broken = failure("broken", 1, may_be_paid=True)
    broken.data.update(call="one", usd=0.125)
    assert line_of_models([asked("one", 0), broken, asked("one", 2), *events_of(answer)]) == (
        "Models    2 requests to c/d, a/b, 1 without a reply (1 may be paid for, about $0.1250), 7 tokens read, "
        "3 written, $0.5000"
    )
    fault = failure("fault", 1, may_be_paid=True)  # of the plugin: nobody knows
    fault.data["call"] = "one"
    assert (use_of([asked("one", 0), fault]).requests, use_of([asked("one", 0), fault]).lost) == (1, 1)


def test_what_costs_no_money_is_not_said_to_be_paid_for() -> None:
    """By a model on this machine, whether its reply broke off or the session did."""
    data = {"call": "one", "model": "ollama/a", "usd": 0.0, "may_be_paid": False}
    asked = Event(seq=0, session="s", time=0.0, kind="model.asked", data=data)
    assert line_of_models([asked]) == "Models    1 request to ollama/a, 1 without a reply"


def test_what_was_refused_is_not_taken_for_sent() -> None:
    found = outcome("STOPPED", attempt("passed"))
    assert "Models" not in to_text(
        result_of("s1", found, patch="", seconds=1.5, applied=False, models=use_of([failure("refused", 0)]))
    )


def events_of(*answered: dict[str, Any]) -> list[Event]:
    return [Event(seq=n, session="s", time=0.0, kind="complete.finished", data=d) for n, d in enumerate(answered)]


def failure(trouble: str, seq: int, *, may_be_paid: bool = False) -> Event:
    data = {"model": "c/d", "trouble": trouble, "message": "m", "again_in_s": None, "may_be_paid": may_be_paid}
    return Event(seq=seq, session="s", time=0.0, kind="model.failed", data=data)


def line_of_models(events: list[Event]) -> str:
    found = outcome("SOLVED", attempt("passed"))
    shown = to_text(result_of("s1", found, patch="", seconds=1.5, applied=False, models=use_of(events)))
    return next(line for line in shown.splitlines() if line.startswith("Models"))
