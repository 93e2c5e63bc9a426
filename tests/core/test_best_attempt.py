from __future__ import annotations

from typing import Any

import msgspec
import pytest

from treadle.core.best_attempt import compared, nearest
from treadle.core.conversations import going_on_from
from treadle.core.records import (
    Attempt,
    Candidate,
    CollectedFile,
    Execution,
    FileChange,
    Outcome,
    Signal,
    Task,
    Verdict,
)
from treadle.core.testrun import RAN_OUT, REPORT, TestReport, TestResult


def run(passing: str = "", failing: str = "", problems: int = 0) -> Execution:
    """A run of the tests whose names are these letters."""
    report = TestReport(
        complete=True,
        tests=(
            *(TestResult(id=name, outcome="passed") for name in passing),
            *(TestResult(id=name, outcome="failed") for name in failing),
        ),
        problems=tuple(TestResult(id=f"p{n}.py", outcome="error") for n in range(problems)),
    )
    files = (CollectedFile(name=REPORT, content=msgspec.json.encode(report)),)
    return Execution(job="tests", verdict="ok", files=files)


def crash() -> Execution:
    return Execution(job="tests", verdict="timeout")


def attempt(*executions: Execution, against: int = 0, state: Any = "failed") -> Attempt:
    signals = (
        Signal(kind="tests", ok=False, summary="they fail"),
        *(Signal(kind=f"check-{n}", ok=n >= against, summary="") for n in range(3)),
    )
    candidate = Candidate(files=(FileChange(path="a.py", content=b""),), why="")
    return Attempt(number=0, candidate=candidate, executions=executions, signals=signals, verdict=Verdict(state=state))


def best_of(*attempts: Attempt, before: Execution | None = None, kind: Any = "run") -> int:
    """The number of the attempt that came nearest, 0 for none."""
    numbered = tuple(msgspec.structs.replace(each, number=n) for n, each in enumerate(attempts, 1))
    task = Task(id="t", kind=kind, project="/p", python="python3")
    baseline = (before,) if before else ()
    found = nearest(Outcome(task=task, state="UNSOLVED", attempts=numbered, baseline=baseline))
    return found.number if found else 0


BEFORE = run("ab", "xyz")


@pytest.mark.parametrize(
    ("attempts", "best"),
    [
        ((run("abx", "yz"), run("b", "axyz")), 1),
        ((run("b", "axyz"), run("abx", "yz")), 2),
        ((run("axyz", "b"), run("ab", "xyz")), 2),  # nothing broken goes before much mended
        ((run("abx", "yz"), run("abxy", "z")), 2),
        ((run("abx", "yz"), run("aby", "xz")), 1),  # alike: the earliest
        ((run("bxyz"), run("ab", "xyz")), 2),  # a test that is gone is broken
        ((run("abx", "yzn"), run("abx", "yz")), 2),  # a new test that fails
        ((crash(), run("a", "bxyz")), 2),
    ],
)
def test_what_breaks_least_and_mends_most_is_nearest(attempts: tuple[Execution, ...], best: int) -> None:
    assert best_of(*map(attempt, attempts), before=BEFORE) == best


def test_of_those_that_are_alike_the_other_checks_decide() -> None:
    alike = run("abx", "yz")
    assert best_of(attempt(alike, against=2), attempt(alike, against=1), before=BEFORE) == 2
    assert best_of(attempt(alike, against=3), attempt(run("ab", "xyz")), before=BEFORE) == 1  # and only then


def test_where_there_were_no_tests_those_of_the_attempt_count() -> None:
    assert best_of(attempt(run("a", "bc")), attempt(run("ab", "c")), before=run()) == 2
    assert best_of(attempt(run("", "", problems=1)), attempt(run("a", "bc")), before=run(problems=1)) == 2


def test_a_file_that_can_be_imported_again_is_mended() -> None:
    before = run("a", "", problems=1)
    assert best_of(attempt(run("a", "", problems=1)), attempt(run("a", "bc")), before=before) == 2


def test_of_what_was_never_run_nothing_is_known() -> None:
    never = attempt(state="denied")
    assert best_of(never, attempt(run("b", "axyz")), before=BEFORE) == 2
    assert best_of(never, attempt(), before=BEFORE) == 0
    assert best_of(before=BEFORE) == 0
    assert best_of(attempt(against=1)) == 1  # there was nothing to run, and checks have judged it


def test_where_one_passed_or_code_was_given_none_came_near() -> None:
    assert best_of(attempt(run("ab", "xyz")), attempt(run("abxyz"), state="passed"), before=BEFORE) == 0
    assert best_of(attempt(run("a")), kind="check") == 0


def test_what_is_mended_and_broken_is_named() -> None:
    found = compared((run("abc", "xyz"),), (run("ax", "by", problems=1),))
    assert (found.mended, found.broken) == (("x",), ("b", "c"))
    assert (found.passing, found.failing) == (2, 3)
    assert compared((run("ab"),), (crash(),)).broken == ("a", "b")


def test_what_was_ended_early_behind_an_endless_test_is_not_called_broken() -> None:
    endless = TestResult(id="a", outcome="failed", exception=RAN_OUT)
    behind = TestResult(id="b", outcome="skipped", exception=RAN_OUT)
    skipped = TestResult(id="c", outcome="skipped")
    content = msgspec.json.encode(TestReport(complete=True, tests=(endless, behind, skipped)))
    now = Execution(job="tests", verdict="error", files=(CollectedFile(name=REPORT, content=content),))
    found = compared((run("abc"),), (now,))
    assert (found.broken, found.unknown) == (("a", "c"), ("b",))
    # It may be broken as well: whoever leaves fewer open comes nearer.
    assert best_of(attempt(now), attempt(run("c", "ab")), before=run("abc", "x")) == 2


def test_the_address_of_an_object_makes_no_other_test_of_it() -> None:
    def named(address: str) -> Execution:
        tests = (TestResult(id=f"t[<X at 0x{address}>]", outcome="passed"),)
        content = msgspec.json.encode(TestReport(complete=True, tests=tests))
        return Execution(job="tests", verdict="ok", files=(CollectedFile(name=REPORT, content=content),))

    assert compared((named("7f00aa"),), (named("7f11bb"),)).broken == ()


def test_whoever_goes_on_from_the_session_is_told_of_that_one() -> None:
    task = Task(id="t", kind="run", project="/p", python="python3", text="mend it")
    attempts = tuple(
        msgspec.structs.replace(
            attempt(executions), number=n, candidate=Candidate(files=(FileChange(path=f"{n}.py", content=b""),), why="")
        )
        for n, executions in enumerate((run("abx", "yz"), run("b", "axyz")), 1)
    )
    outcome = Outcome(task=task, state="UNSOLVED", attempts=attempts, baseline=(BEFORE,), reason="none holds")
    (told,) = going_on_from("s", task, outcome, applied=False)
    assert "The attempt that came nearest changed 1.py" in told.came
