"""A session goes on in a copy of it."""

from __future__ import annotations

from typing import Any

from tests.loop.test_feedback import give, writes
from treadle.core import questions
from treadle.core.forking import fork
from treadle.core.records import Finding


def fork_last(bench: Any) -> str:
    """Fork the latest session; the fork is the latest then."""
    original: str = bench.id
    assert fork(bench.store, bench.places, original, "t2").id == bench.id != original
    return original


def kinds(bench: Any, session: str) -> list[str]:
    return [event.kind for event in bench.store.events(session)]


def test_an_ended_session_stays_so_and_another_attempt_is_made_in_the_copy(bench: Any) -> None:
    generate = bench.parts.hooks["treadle_generate"] = writes("x = 1\n", "x = 1\n# kept\n")
    first = bench.run()
    original = fork_last(bench)
    logged = list(bench.store.events(original))
    runs = list(bench.parts.runs)

    assert bench.again() == first
    assert bench.parts.runs == runs

    give(bench, attempt=1, words="keep the comment")
    outcome = bench.again()
    assert outcome.state == "SOLVED"
    assert outcome.winner.number == 2
    assert [len(asked.attempts) for asked in generate.asked] == [0, 1], "what was made before is not made again"
    assert list(bench.store.events(original)) == logged


def test_each_rests_on_the_question_and_has_an_answer_of_its_own(bench: Any) -> None:
    bench.kind, bench.approval = "run", "ask"
    bench.parts.hooks["treadle_scan"] = lambda candidate: (
        Finding(rule="r", path="a.py", line=1, severity="ask", message="it opens a socket"),
    )
    assert bench.run().state == "NEEDS_PERSON"
    original = fork_last(bench)
    copy = bench.id

    assert questions.open_question(bench.store.events(copy)) == questions.open_question(bench.store.events(original))
    questions.answer(bench.store, copy, "allow")
    assert bench.again().state == "SOLVED"
    assert bench.store.session(original).state == "NEEDS_PERSON"
    assert "question.answered" not in kinds(bench, original)

    questions.answer(bench.store, original, "deny")
    assert bench.session(original).run().state != "SOLVED"


def test_a_session_that_was_stopped_goes_on_in_the_copy(bench: Any) -> None:
    session = bench.start()
    session.stop()
    assert session.run().state == "STOPPED"
    original = fork_last(bench)

    assert bench.again().state == "SOLVED"
    assert bench.store.session(original).state == "STOPPED"
