from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bare_context import BareContext
from treadle.core import testrun
from treadle.core.records import (
    Candidate,
    CollectedFile,
    Execution,
    FileChange,
    GenerateRequest,
    Job,
    Output,
    Plan,
    Signal,
    Task,
    Workspace,
)
from treadle.core.strategy import judge
from treadle.core.tree.workspace import Tree
from treadle.plugins.validation.asked_about import still_failing
from treadle.plugins.validation.tests import compare, compared, treadle_validate

OUTCOMES = ["passed", "failed", "error", "skipped", "xfailed", "xpassed"]


def run(
    outcomes: dict[str, str],
    *,
    complete: bool = True,
    problems: tuple[str, ...] = (),
    verdict: str | None = None,
    more: tuple[testrun.TestResult, ...] = (),
) -> Execution:
    report = testrun.TestReport(
        complete=complete,
        tests=tuple(
            testrun.TestResult(id=name, outcome=outcome, message="assert 1 == 2\nlong" if outcome == "failed" else "")  # type: ignore[arg-type]
            for name, outcome in outcomes.items()
        )
        + more,
        problems=tuple(testrun.TestResult(id=p, outcome="error", message="can't be imported") for p in problems),
    )
    bad = bool(report.failing) or not complete
    return Execution(
        job="tests",
        verdict=verdict or ("error" if bad else "ok"),  # type: ignore[arg-type]
        exit_code=1 if bad else 0,
        files=(CollectedFile(name=testrun.REPORT, content=msgspec.json.encode(report)),),
    )


def command(verdict: str, said: str = "") -> Execution:
    return Execution(
        job="c",
        verdict=verdict,  # type: ignore[arg-type]
        exit_code=0 if verdict == "ok" else 1,
        stderr=Output(head=said),
    )


def test_failing_tests_that_pass_now_and_nothing_broken_is_ok() -> None:
    before = run({"a": "failed", "b": "failed", "c": "passed"})
    signal = compare(before, run({"a": "passed", "b": "passed", "c": "passed"}))
    assert (signal.ok, signal.worse, signal.better) == (True, 0, 2)
    assert signal.summary == "2 failing tests now pass; 3 of 3 pass"


def test_what_a_task_names_and_what_still_fails_speaks_against_a_change() -> None:
    tree = Tree(Workspace(id="w", kind="copy", project="/nowhere", root="/nowhere", upper=""))
    ran = (run({"t.py::test_last[1]": "failed", "t.py::test_other": "failed", "t.py::test_first": "passed"}),)
    asked = Task(id="t", kind="run", project="/p", python="python", text="Bitte test_last beheben, wie test_first")
    (signal,) = still_failing(asked, (), ran, tree)
    assert (signal.ok, signal.worse, signal.summary) == (
        False,
        1,
        "what the task names still fails: t.py::test_last[1]",
    )
    assert still_failing(msgspec.structs.replace(asked, text="Make the last one right"), (), ran, tree) == ()
    assert still_failing(msgspec.structs.replace(asked, kind="fix"), (), ran, tree) == ()


def test_a_test_that_passed_and_fails_now_speaks_against_it() -> None:
    signal = compare(run({"a": "failed", "b": "passed"}), run({"a": "passed", "b": "failed"}))
    assert (signal.ok, signal.worse, signal.better) == (False, 1, 1)
    assert "passed before, failed now: b (assert 1 == 2)" in signal.details


@pytest.mark.parametrize("outcome", ["skipped", "xfailed", "xpassed", "error"])
def test_a_test_that_passed_must_pass_and_nothing_else(outcome: str) -> None:
    signal = compare(run({"a": "passed"}), run({"a": outcome}))
    assert not signal.ok and signal.worse == 1


@pytest.mark.parametrize("outcome", ["passed", "failed", "skipped"])
def test_a_vanished_test_speaks_against_it_whatever_it_was(outcome: str) -> None:
    signal = compare(run({"a": outcome, "b": "passed"}), run({"b": "passed"}))
    assert not signal.ok and signal.worse == 1
    assert "vanished: a" in signal.details


def test_fewer_tests_of_one_id_are_vanished_tests() -> None:
    twin = testrun.TestResult(id="a", outcome="passed")
    assert not compare(run({"a": "passed"}, more=(twin,)), run({"a": "passed"})).ok


@pytest.mark.timeout(60)
def test_as_many_tests_as_there_are_take_a_time_that_grows_with_their_number() -> None:
    names = [f"t.py::t[{number}]" for number in range(60_000)]
    before = run(dict.fromkeys(names, "passed"))
    assert compare(before, run(dict.fromkeys(names, "failed"))).worse == 60_000
    assert compare(before, run({"t.py::other": "failed"})).worse == 60_001


def test_an_address_in_a_test_id_makes_no_other_test() -> None:
    assert compare(run({"t[<C at 0x7f0011>]": "passed"}), run({"t[<C at 0x7f9922>]": "passed"})).ok


@pytest.mark.parametrize("outcome", ["skipped", "xfailed"])
def test_a_failing_test_that_is_silenced_is_not_mended(outcome: str) -> None:
    signal = compare(run({"a": "failed", "b": "passed"}), run({"a": outcome, "b": "passed"}))
    assert not signal.ok and signal.better == 0 and signal.worse == 1


def test_what_still_fails_is_not_ok_but_no_worse() -> None:
    signal = compare(run({"a": "failed", "b": "failed"}), run({"a": "passed", "b": "failed"}))
    assert (signal.ok, signal.worse, signal.better) == (False, 0, 1)
    assert signal.summary == "1 failing test now passes; 1 test fails as before; 1 of 2 pass"


def test_a_new_failing_test_is_worse_unless_it_could_not_be_collected_before() -> None:
    assert compare(run({"a": "passed"}), run({"a": "passed", "b": "failed"})).worse == 1
    hidden = compare(run({"a": "passed"}, problems=("b.py",)), run({"a": "passed", "b": "failed"}))
    assert not hidden.ok and hidden.worse == 0 and hidden.better == 1


def test_new_passing_tests_are_welcome() -> None:
    assert compare(run({"a": "passed"}), run({"a": "passed", "b": "passed"})).ok


def test_a_new_problem_outside_of_tests_speaks_against_it() -> None:
    signal = compare(run({"a": "failed"}), run({"a": "passed"}, problems=("conftest.py",)))
    assert not signal.ok and "conftest.py" in signal.details[0]


def test_an_old_problem_that_stays_is_not_counted_twice_but_fails_the_run() -> None:
    signal = compare(run({"a": "failed"}, problems=("b.py",)), run({"a": "passed"}, problems=("b.py",)))
    assert not signal.ok and signal.worse == 0


@pytest.mark.parametrize("outcomes", [{"a": "passed"}, {}])
def test_a_run_that_was_cut_off_is_never_a_pass(outcomes: dict[str, str]) -> None:
    signal = compare(run({"a": "passed"}), run(outcomes, complete=False, verdict="timeout"))
    assert not signal.ok and "cut off" in signal.summary and "timeout" in signal.summary


def cut_off(outcomes: dict[str, str], verdict: str = "timeout") -> Execution:
    return run(outcomes, complete=False, verdict=verdict)


@pytest.mark.parametrize(
    ("now", "worse", "better"),
    [
        ({"a": "passed", "hangs": "error"}, 0, 0),
        ({"a": "passed", "hangs": "passed", "another": "error"}, 0, 1),
        ({"a": "failed", "hangs": "error"}, 1, 0),
        ({"a": "error"}, 2, 0),
        ({}, 2, 0),
    ],
)
def test_what_timed_out_before_the_change_as_well_speaks_not_against_it(
    now: dict[str, str], worse: int, better: int
) -> None:
    signal = compare(cut_off({"a": "passed", "hangs": "error"}), cut_off(now))
    assert (signal.ok, signal.worse, signal.better) == (False, worse, better)
    where = f" in {list(now)[-1]}" if now else ""
    assert signal.summary.startswith(f"the time limit cut the test run off{where}, as it did before the change; ")


def test_where_a_change_is_all_that_is_wanted_a_test_that_hung_before_does_not_fail_it() -> None:
    run_now = cut_off({"a": "passed", "hangs": "error"})
    signals = (compare(run_now, run_now),)
    states = [
        judge(signals, (run_now,), Plan(steps=(), checks=(), goal=goal)).state for goal in ("change", "change and pass")
    ]
    assert states == ["passed", "failed"]


def test_a_run_that_hangs_where_no_test_runs_is_the_same_before_and_after() -> None:
    for outcomes in ({}, {"a": "passed"}):
        signal = compare(cut_off(outcomes), cut_off(outcomes))
        assert (signal.ok, signal.worse, signal.better) == (False, 0, 0)
        assert "cut the test run off, as it did before" in signal.summary


@pytest.mark.parametrize(("before", "after"), [("timeout", "error"), ("error", "timeout"), ("error", "error")])
def test_a_run_that_ended_early_otherwise_is_never_taken_for_one_that_timed_out(before: str, after: str) -> None:
    outcomes = {"a": "passed", "b": "error"}
    signal = compare(cut_off(outcomes, before), cut_off(outcomes, after))
    assert (signal.ok, signal.worse) == (False, 1)


def test_a_missing_or_unreadable_report_is_never_a_pass() -> None:
    assert not compare(run({"a": "passed"}), command("ok")).ok
    broken = Execution(job="t", verdict="ok", files=(CollectedFile(name=testrun.REPORT, content=b"{"),))
    assert not compare(run({"a": "passed"}), broken).ok


def test_passing_tests_in_a_run_that_ended_badly_are_not_ok() -> None:
    signal = compare(run({"a": "failed"}), run({"a": "passed"}, verdict="memory"))
    assert not signal.ok and "memory" in signal.summary


def test_a_run_without_any_test_is_not_ok() -> None:
    signal = compare(run({}), run({}))
    assert not signal.ok and "no test was run" in signal.summary


def test_without_a_report_before_only_the_run_after_counts() -> None:
    assert compare(command("timeout"), run({"a": "passed"})).ok
    assert not compare(command("timeout"), run({"a": "failed"})).ok


def test_a_plain_command_is_judged_by_its_end() -> None:
    assert compare(command("error"), command("ok")) == Signal(
        kind="tests", ok=True, summary="the command passes, which it did not before", better=1
    )
    worse = compare(command("ok"), command("error", "one\ntwo\n"))
    assert (worse.ok, worse.worse, worse.details) == (False, 1, ("one", "two"))
    assert compare(command("error"), command("timeout")).worse == 0


def test_checks_are_compared_one_by_one_and_another_number_is_refused() -> None:
    one, two = run({"a": "failed"}), run({"a": "passed"})
    assert [s.ok for s in compared(execution=(two, two), baseline=(one, two))] == [True, True]
    assert [s.ok for s in compared(execution=(two,), baseline=(one, two))] == [False]


class RunAgain(BareContext):
    """Answers with these outcomes when the unchanged suite is run once more."""

    def __init__(self, *outcomes: dict[str, str]) -> None:
        super().__init__()
        self.outcomes = list(outcomes)

    def execute(self, jobs: tuple[Job, ...]) -> tuple[Execution, ...]:
        return tuple(run(self.outcomes.pop(0)) for _ in jobs)


def validated(
    rank: int | None,
    before: dict[str, str],
    after: dict[str, str],
    *again: dict[str, str],
    kind: Literal["fix", "check"] = "fix",
) -> Signal:
    job = Job(id="tests", script="", stdin=msgspec.json.encode(testrun.TestRequest()), collect=(testrun.REPORT,))
    place = Workspace(id="w", kind="overlay", project="/p", root="/p", upper="")
    task = Task(id="t", kind=kind, text="", project="/p", python="")
    baseline = (run(before),)
    request = GenerateRequest(task=task, plan=Plan(steps=(), checks=(job,)), workspace=place, baseline=baseline)
    candidate = Candidate(files=(), why="", rank=rank)
    (signal,) = treadle_validate(candidate, (run(after),), baseline, request, RunAgain(*again))
    return signal


@pytest.mark.parametrize("before", ["failed", "passed"])
def test_what_fails_now_and_then_without_the_change_does_not_speak_against_a_repair(before: str) -> None:
    was, now = {"a": "failed", "flaky": before}, {"a": "passed", "flaky": "failed"}
    signal = validated(1, was, now, {"a": "failed", "flaky": "failed"}, {"a": "failed", "flaky": "passed"})
    assert (signal.ok, signal.worse) == (True, 0)
    assert signal.summary == "1 failing test now passes; 1 of 1 pass; set aside as flaky: flaky"


def test_what_the_sandbox_hinders_before_and_after_does_not_speak_against_a_change() -> None:
    def refused(message: str = "[Errno 1] Operation not permitted", exception: str = "PermissionError"):
        return testrun.TestResult(id="net", outcome="failed", message=message, exception=exception)

    unlucky = run({"a": "failed"}, more=(refused(),)), run({"a": "passed"}, more=(refused(),))
    signal = compare(*unlucky)
    assert (signal.ok, signal.worse, signal.better) == (True, 0, 1)
    assert signal.summary.endswith("1 of 1 pass; set aside, since the sandbox does not let them: net")
    assert compare(*(run({"a": "passed"}, more=(refused("no", "socket.gaierror"),)) for _ in range(2))).ok
    assert not compare(unlucky[0], run({"a": "passed"}, more=(refused("assert 1 == 2"),))).ok
    newly = compare(run({"a": "passed", "net": "passed"}), unlucky[1])
    assert (newly.ok, newly.worse) == (False, 1)


def test_what_was_cut_off_before_its_time_is_neither_broken_nor_a_pass() -> None:
    cut = testrun.TestResult(id="slow", outcome="skipped", message="not judged", exception="TestTimeout")
    before = run({"slow": "passed", "hangs": "failed"})
    signal = compare(before, run({"hangs": "failed"}, more=(cut,)))
    assert not signal.ok and signal.worse == 0 and "not judged" in signal.summary and "slow" in signal.summary
    assert not compare(before, run({"hangs": "passed"}, more=(cut,))).ok


def test_a_repair_that_mends_nothing_but_what_fails_now_and_then_is_none() -> None:
    flaky = {"a": "failed", "b": "passed"}
    assert not validated(1, flaky, flaky, {"a": "passed", "b": "passed"}, flaky).ok


def test_what_fails_now_and_then_does_not_speak_against_a_change_that_is_checked() -> None:
    was, now = {"a": "passed", "flaky": "passed"}, {"a": "passed", "flaky": "failed"}
    assert validated(None, was, now, now, was, kind="check").ok
    broken = validated(None, was, {"a": "failed", "flaky": "failed"}, now, was, kind="check")
    assert (broken.ok, broken.worse) == (False, 1)
    still = {"a": "failed"}
    assert not validated(None, still, still, kind="check").ok, "and nothing is run where nothing is worse"


def test_what_fails_with_the_change_alone_speaks_against_it() -> None:
    was, now = {"a": "failed", "b": "passed"}, {"a": "passed", "b": "failed"}
    assert not validated(1, was, now, was, was).ok
    flaky_too = {"a": "passed", "b": "passed"}
    assert not validated(1, was, now, was, flaky_too).ok
    assert not validated(None, was, now).ok, "a model's change is run as often as its attempts say"


def test_many_details_are_cut_with_a_count() -> None:
    names = [f"t{n}" for n in range(50)]
    signal = compare(run(dict.fromkeys(names, "passed")), run(dict.fromkeys(names, "failed")))
    assert len(signal.details) == 21 and signal.details[-1] == "and 30 more" and signal.worse == 50


REPORTS = st.dictionaries(st.sampled_from("abcde"), st.sampled_from(OUTCOMES), max_size=5)


@settings(deadline=None)
@given(REPORTS, REPORTS)
def test_ok_means_that_nothing_fails_vanishes_or_stops_passing(old: dict[str, str], new: dict[str, str]) -> None:
    signal = compare(run(old), run(new))
    kept = all(name in new and (outcome != "passed" or new[name] == "passed") for name, outcome in old.items())
    silent = any(outcome in ("failed", "error") and new.get(name) != "passed" for name, outcome in old.items())
    fails = any(outcome in ("failed", "error") for outcome in new.values())
    xpassed = any(outcome in ("failed", "error") and new.get(name) == "xpassed" for name, outcome in old.items())
    assert signal.ok == (bool(new) and kept and not fails and (not silent) and not xpassed)
    if signal.ok:
        assert signal.worse == 0


# ---------------------------------------------------------------- renamed tests

SUITE = "class TestSum:\n    def test_one(self):\n        assert 1 == 2\n\n\ndef test_two():\n    assert True\n"


def changed(tmp_path: Path, after: str, now: dict[str, str], text: str = "") -> tuple[Signal, ...]:
    (tmp_path / "test_a.py").write_text(SUITE)
    root = str(tmp_path)
    place = Workspace(id="w", kind="overlay", project=root, root=root, upper="")
    task = Task(id="t", kind="run", text=text, project=root, python="")
    baseline = (run({"test_a.py::TestSum::test_one[1]": "failed", "test_a.py::test_two": "passed"}),)
    request = GenerateRequest(task=task, plan=Plan(steps=(), checks=()), workspace=place, baseline=baseline)
    candidate = Candidate(files=(FileChange(path="test_a.py", content=after.encode()),), why="")
    return treadle_validate(candidate, (run(now),), baseline, request, RunAgain())


RENAMED = {"test_a.py::TestSum::test_other[1]": "failed", "test_a.py::test_second": "passed"}


def test_a_test_that_is_only_renamed_is_the_one_that_it_was(tmp_path: Path) -> None:
    after = SUITE.replace("test_one", "test_other").replace("test_two", "test_second")
    (signal,) = changed(tmp_path, after, RENAMED)
    assert (signal.ok, signal.worse, signal.better) == (False, 0, 0)
    assert signal.details == ("still fails: test_a.py::TestSum::test_other[1] (assert 1 == 2)",)
    (signal,) = changed(tmp_path, after, RENAMED | {"test_a.py::test_second": "failed"})
    assert signal.worse == 1
    *_, asked = changed(tmp_path, after, RENAMED, "make test_one pass")
    assert (asked.ok, asked.worse, "test_one" in asked.summary) == (False, 1, True)
    assert len(changed(tmp_path, after, RENAMED, "rename test_one to test_other")) == 1
    assert len(changed(tmp_path, after, RENAMED, "rename test_one to test_other, and make it pass")) == 2


def test_a_test_is_the_same_that_speaks_of_what_is_renamed_by_its_new_name(tmp_path: Path) -> None:
    files = {
        "a.py": "def f():\n    return 1\n",
        "test_a.py": "from a import f\n\n\ndef test_f():\n    assert f() == 1\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    root = str(tmp_path)
    place = Workspace(id="w", kind="overlay", project=root, root=root, upper="")
    changes = (
        FileChange(path="a.py", content=b"def first():\n    return 1\n"),
        FileChange(path="test_a.py", content=b"from a import first\n\n\ndef test_first():\n    assert first() == 1\n"),
    )
    task = Task(id="t", kind="run", text="rename f to first", project=root, python="")
    baseline = (run({"test_a.py::test_f": "passed"}),)
    request = GenerateRequest(task=task, plan=Plan(steps=(), checks=()), workspace=place, baseline=baseline)
    now = (run({"test_a.py::test_first": "passed"}),)
    (signal,) = treadle_validate(Candidate(files=changes, why=""), now, baseline, request, RunAgain())
    assert (signal.ok, signal.worse) == (True, 0)


def test_a_test_that_is_another_under_another_name_is_new(tmp_path: Path) -> None:
    after = SUITE.replace("test_one", "test_other").replace("1 == 2", "1 == 3").replace("test_two", "test_second")
    (signal,) = changed(tmp_path, after, RENAMED)
    assert signal.worse == 2  # one is gone, and one fails that was not there
