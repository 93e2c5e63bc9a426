"""A reflection says what spoke against the attempt, and what is worth trying next."""

from __future__ import annotations

from typing import Any

import pytest

from treadle.core.records import Attempt, Candidate, Execution, FileChange, Finding, Signal, Verdict
from treadle.plugins.planning.reflect import reflect, treadle_reflect
from treadle.plugins.planning.reflect_by_model import is_at_a_loss


def attempt(number: int = 1, content: bytes = b"x", remedy: str = "", rank: int | None = 1, **more: Any) -> Attempt:
    change = FileChange(path="a.py", content=content)
    return Attempt(number=number, candidate=Candidate(files=(change,), why="", remedy=remedy, rank=rank), **more)


def signal(better: int = 0, worse: int = 0, ok: bool = False) -> Signal:
    return Signal(
        kind="tests", ok=ok, summary="1 of 2 pass", details=("still fails: t::a",), better=better, worse=worse
    )


@pytest.mark.parametrize(("better", "worse"), [(1, 0), (1, 1), (0, 1), (0, 0)])
def test_what_somebody_wrote_is_mended_by_them(better: int, worse: int) -> None:
    assert reflect((attempt(rank=None, signals=(signal(better, worse),)),)).next == "repair"


@pytest.mark.parametrize(
    ("better", "worse", "following"), [(1, 0, "repair"), (1, 1, "another"), (0, 1, "another"), (0, 0, "another")]
)
def test_only_a_change_that_helps_without_harm_is_repaired(better: int, worse: int, following: str) -> None:
    said = reflect((attempt(signals=(signal(better, worse), signal(ok=True))),))
    assert said.next == following and said.wrong == "tests: 1 of 2 pass: still fails: t::a"


@pytest.mark.parametrize(
    ("reasons", "following"),
    [(("it leaks",), "repair"), (("it leaks", "1 of 2 pass"), "another")],
    ids=["a model alone", "the tests as well"],
)
def test_what_only_a_model_speaks_against_is_kept_and_mended(reasons: tuple[str, ...], following: str) -> None:
    review = Signal(kind="review", ok=False, summary="it leaks", worse=1)
    said = reflect((attempt(signals=(signal(), review), verdict=Verdict(state="failed", reasons=reasons)),))
    assert said.next == following
    assert "breaks what worked" not in said.advice


def test_a_model_reflects_only_where_the_rules_say_no_more_than_to_try_again() -> None:
    review = Signal(kind="review", ok=False, summary="it leaks", worse=1)
    failed = Verdict(state="failed", reasons=("1 of 2 pass",))
    tries = [attempt(n, str(n).encode(), "model", None, signals=(signal(),), verdict=failed) for n in (1, 2)]
    assert is_at_a_loss((tries[0], tries[1]), 2)
    assert not is_at_a_loss((tries[0],), 2)
    for last in (
        attempt(2, b"2", "model", None, signals=(signal(better=1),), verdict=failed),
        attempt(2, b"2", "model", None, signals=(review,), verdict=Verdict(state="failed", reasons=("it leaks",))),
        attempt(2, b"2", "model", None, verdict=Verdict(state="denied")),
        attempt(2, b"1", "model", None, signals=(signal(),), verdict=failed),
    ):
        assert not is_at_a_loss((tries[0], last), 2)


def test_a_denied_change_is_told_which_finding_denied_it() -> None:
    deny = Finding(rule="eval", path="a.py", line=3, severity="deny", message="evaluates text", advice="parse it")
    note = Finding(rule="style", path="a.py", line=0, severity="note", message="odd")
    said = reflect((attempt(findings=(note, deny), verdict=Verdict(state="denied")),))
    assert said.wrong == "The change was denied: a.py:3: evaluates text (eval)"
    assert said.advice == "parse it" and said.next == "another"


def test_the_same_change_again_gives_up() -> None:
    first, second = attempt(1, signals=(signal(1),)), attempt(2, signals=(signal(1),))
    assert reflect((first, second)).next == "give up"
    assert reflect((first, attempt(2, b"y", signals=(signal(1),)))).next == "repair"


def test_given_code_is_judged_once() -> None:
    assert reflect((attempt(remedy="given", signals=(signal(1),)),)).next == "give up"


def test_without_signals_the_verdict_or_the_runs_say_what_was_wrong() -> None:
    run = Execution(job="tests", verdict="timeout", message="60 s were not enough")
    assert reflect((attempt(executions=(run,)),)).wrong == "tests: timeout, 60 s were not enough"
    assert reflect((attempt(verdict=Verdict(state="failed", reasons=("it broke",))),)).wrong == "it broke"


def test_without_attempts_there_is_nothing_to_reflect_on() -> None:
    assert treadle_reflect(()) is None
