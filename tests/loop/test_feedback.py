"""A person speaks against an attempt, and the session goes on from there."""

from __future__ import annotations

from typing import Any

import pytest

from treadle.core import feedback, questions
from treadle.core.conversations import outcome_of
from treadle.core.errors import UsageError
from treadle.core.records import Candidate, Feedback, FileChange, Finding, Question, Signal
from treadle.core.replay import Recording
from treadle.core.strategy import Limit


def give(bench: Any, **said: Any) -> None:
    feedback.give(bench.store, bench.id, outcome_of(bench.store.events(bench.id)), Feedback(**said))


def writes(*texts: str) -> Any:
    """A generator that writes these, one an attempt, and keeps what it was asked."""
    asked: list[Any] = []

    def generate(request: Any) -> Candidate | None:
        asked.append(request)
        made = len(request.attempts)
        if made >= len(texts):
            return None
        return Candidate(files=(FileChange(path="a.py", content=texts[made].encode()),), why=f"wrote {texts[made]!r}")

    generate.asked = asked  # type: ignore[attr-defined]
    return generate


def test_what_passed_is_rejected_with_words_that_the_next_attempt_reads(bench: Any) -> None:
    generate = bench.parts.hooks["treadle_generate"] = writes("x = 1\n", "x = 1\n# kept\n")
    assert bench.run().state == "SOLVED"
    give(bench, attempt=1, words="keep the comment")
    outcome = bench.again()
    assert outcome.state == "SOLVED"
    assert outcome.winner is not None
    assert outcome.winner.number == 2
    (request,) = [asked for asked in generate.asked if asked.attempts]
    (first,) = request.attempts
    assert first.verdict.state == "failed"
    assert first.verdict.reasons == ("the person says: keep the comment",)
    assert first.reflection is not None
    assert first.reflection.advice == "keep the comment"
    assert request.rung == "repair"
    assert len([k for k in bench.kinds() if k == "session.ended"]) == 2
    assert bench.again() == outcome, "it has ended again"


def test_the_change_that_was_rejected_does_not_hold_when_it_comes_again(bench: Any) -> None:
    bench.parts.hooks["treadle_generate"] = writes("x = 1\n", "x = 1\n")
    bench.run()
    runs = list(bench.parts.runs)
    give(bench, attempt=1, words="keep the comment")
    outcome = bench.again()
    assert outcome.state == "UNSOLVED"
    assert outcome.attempts[1].verdict.reasons == ("it is once more the change that you did not want",)
    assert bench.parts.runs == runs


def test_another_approach_can_be_asked_for(bench: Any) -> None:
    generate = bench.parts.hooks["treadle_generate"] = writes("x = 1\n", "x = 1\n# kept\n")
    bench.run()
    give(bench, attempt=1, another=True)
    bench.again()
    assert generate.asked[-1].rung == "another"


def test_what_the_person_has_edited_is_tried_as_it_is_and_asks_nobody_to_write(bench: Any) -> None:
    generate = bench.parts.hooks["treadle_generate"] = writes("x = 1\n")
    bench.run()
    give(bench, attempt=1, files=(FileChange(path="a.py", content=b"x = 5\n"),))
    outcome = bench.again()
    assert len(generate.asked) == 2, "after the edited one failed its check, another is asked for"
    assert outcome.attempts[1].candidate.remedy == "edited"
    assert outcome.attempts[1].verdict.reasons == ("the check fails",)

    give(bench, attempt=2, files=(FileChange(path="a.py", content=b"x = 1\n"),))
    outcome = bench.again()
    assert outcome.state == "SOLVED"
    assert outcome.winner is not None
    assert (outcome.winner.number, outcome.winner.candidate.files[0].content) == (3, b"x = 1\n")
    assert len(generate.asked) == 2


def test_what_the_person_has_edited_is_scanned_all_the_same(bench: Any) -> None:
    bench.run()
    bench.parts.hooks["treadle_scan"] = lambda candidate: (
        (Finding(rule="r", path="a.py", line=1, severity="deny", message="no"),) if candidate.remedy == "edited" else ()
    )
    bench.parts.hooks["treadle_generate"] = lambda request: None
    give(bench, attempt=1, files=(FileChange(path="a.py", content=b"x = 1\n"),))
    outcome = bench.again()
    assert outcome.attempts[1].verdict.state == "denied"


def test_after_the_ladder_has_ended_the_person_can_still_say_how(bench: Any) -> None:
    bench.parts.hooks["treadle_generate"] = writes("x = 2\n")
    assert bench.run().state == "UNSOLVED"
    bench.parts.hooks["treadle_generate"] = writes("x = 2\n", "x = 1\n")
    give(bench, attempt=1, words="it must be 1")
    assert bench.again().state == "SOLVED"


def test_who_says_what_they_want_gets_one_more_than_the_maximum(bench: Any) -> None:
    bench.limit = Limit(maximum=1)
    bench.parts.hooks["treadle_generate"] = writes("x = 1\n", "x = 2\n", "x = 1\n# kept\n")
    assert bench.run().state == "SOLVED"
    give(bench, attempt=1, words="otherwise")
    outcome = bench.again()
    assert (outcome.state, len(outcome.attempts)) == ("UNSOLVED", 2), "and no more, when it does not hold"
    assert outcome.limited_by == "loop.max_attempts"
    give(bench, attempt=2, another=True)
    assert bench.again().winner.number == 3


def test_what_is_said_after_words_that_led_nowhere_is_heard_as_well(bench: Any) -> None:
    bench.parts.hooks["treadle_generate"] = writes("x = 1\n")
    bench.run()
    give(bench, attempt=1, words="otherwise")
    outcome = bench.again()
    assert outcome.state == "UNSOLVED"
    assert outcome.reason == "no further change was found after 1 attempt"
    assert outcome.limited_by == "", "more of them would not lead on"
    generate = bench.parts.hooks["treadle_generate"] = writes("x = 1\n", "x = 1\n# kept\n")
    give(bench, attempt=1, words="with a comment")
    assert bench.again().winner.number == 2
    assert generate.asked[-1].attempts[0].verdict.reasons == ("the person says: with a comment",)

    recorded = Recording(bench.id, tuple(e for e in bench.events() if e.kind == feedback.KIND))
    bench.parts.hooks["treadle_generate"] = writes("x = 1\n", "x = 1\n# kept\n")
    assert bench.session(bench.create(), replayed=recorded).run().winner.number == 2


def test_a_session_that_is_killed_on_the_way_goes_on_with_what_was_said(bench: Any) -> None:
    bench.parts.hooks["treadle_generate"] = writes("x = 1\n", "x = 1\n# kept\n")
    bench.run()
    give(bench, attempt=1, words="otherwise")
    session = bench.session(bench.id)
    session.stop()
    assert session.run().state == "STOPPED"
    assert bench.again().winner.number == 2


def test_what_was_asked_before_is_asked_no_more(bench: Any) -> None:
    bench.kind, bench.approval = "run", "ask"
    bench.parts.hooks["treadle_generate"] = writes("x = 2\n", "x = 3\n", "x = 1\n")
    bench.run()
    questions.answer(bench.store, bench.id, "allow")
    assert bench.again().state == "NEEDS_PERSON"
    before = questions.open_question(bench.store.events(bench.id))
    give(bench, attempt=1, words="otherwise")
    assert questions.open_question(bench.store.events(bench.id)) is None
    assert bench.again().state == "NEEDS_PERSON"
    now = questions.open_question(bench.store.events(bench.id))
    assert before is not None
    assert now is not None
    assert before[0] != now[0], "what is open now is about the attempt after it"
    assert bench.again().state == "NEEDS_PERSON"
    assert bench.kinds().count("question.asked") == 3


def test_the_same_question_can_be_asked_once_more(bench: Any) -> None:
    asked: list[str] = []

    def validate(candidate: Candidate, context: Any) -> Any:
        if candidate.files[0].content == b"x = 1\n":
            asked.append(context.put(Question(id="p", text="May it?", options=("yes",)), "packages.p"))
        return (Signal(kind="tests", ok=bool(asked), summary="."),)

    bench.parts.hooks["treadle_generate"] = writes("x = 2\n", "x = 1\n", "x = 1\n")
    bench.parts.hooks["treadle_validate"] = validate
    assert bench.run().state == "NEEDS_PERSON"
    give(bench, attempt=1, words="otherwise")
    assert bench.again().state == "NEEDS_PERSON"
    assert bench.again().state == "NEEDS_PERSON"
    assert bench.kinds().count("question.asked") == 2
    questions.answer(bench.store, bench.id, "yes")
    assert bench.again().state == "SOLVED"


def test_a_replay_hears_it_too(bench: Any) -> None:
    bench.parts.hooks["treadle_generate"] = writes("x = 1\n", "x = 1\n# kept\n")
    bench.run()
    give(bench, attempt=1, words="otherwise")
    bench.again()
    recorded = Recording(bench.id, tuple(e for e in bench.events() if e.kind == feedback.KIND))
    outcome = bench.session(bench.create(), replayed=recorded).run()
    assert outcome.winner.number == 2


def test_from_an_earlier_attempt_it_goes_on_as_if_those_after_it_had_not_been(bench: Any) -> None:
    generate = bench.parts.hooks["treadle_generate"] = writes("x = 2\n", "x = 3\n", "x = 4\n")
    assert bench.run().state == "UNSOLVED"
    generate = bench.parts.hooks["treadle_generate"] = writes("x = 2\n", "x = 1\n")
    give(bench, attempt=1)
    outcome = bench.again()
    assert [attempt.candidate.why for attempt in outcome.attempts] == ["wrote 'x = 2\\n'", "wrote 'x = 1\\n'"]
    assert outcome.state == "SOLVED"
    assert [len(asked.attempts) for asked in generate.asked] == [1]
    ended = [event.data["number"] for event in bench.events() if event.kind == "attempt.ended"]
    assert ended == [1, 2, 3, 1, 2] or ended == [1, 2, 3, 2]


def test_it_can_go_on_from_the_same_attempt_again_and_again(bench: Any) -> None:
    bench.parts.hooks["treadle_generate"] = writes("x = 2\n")
    bench.run()
    for wanted in ("x = 5\n", "x = 6\n", "x = 1\n"):
        generate = bench.parts.hooks["treadle_generate"] = writes("x = 2\n", wanted)
        give(bench, attempt=1, words=f"it must be {wanted}")
        outcome = bench.again()
        assert outcome.attempts[1].candidate.files[0].content == wanted.encode()
        assert len([asked for asked in generate.asked if len(asked.attempts) == 1]) == 1
    assert outcome.state == "SOLVED"
    give(bench, attempt=2, words="of the second of them")
    assert bench.again().attempts[1].verdict.reasons == ("the person says: of the second of them",)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"attempt": 2, "words": "x"}, "has no attempt 2; it has made one"),
        ({"attempt": 1, "words": "  "}, "the words are empty"),
    ],
)
def test_what_can_not_be_said_is_refused(bench: Any, said: dict[str, Any], why: str) -> None:
    bench.run()
    with pytest.raises(UsageError, match=why):
        give(bench, **said)


def test_who_names_the_attempt_to_go_on_from_needs_no_words(bench: Any) -> None:
    generate = bench.parts.hooks["treadle_generate"] = writes("x = 1\n", "x = 1  # again\n")
    outcome = bench.run()
    feedback.give(bench.store, bench.id, outcome, Feedback(attempt=1), named=True)
    assert bench.again().attempts[0].verdict.reasons == ("the person wants another one",)
    assert generate.asked[1].attempts[0].number == 1


def test_who_names_an_attempt_that_had_passed_has_it_hold_again(bench: Any) -> None:
    generate = bench.parts.hooks["treadle_generate"] = writes("x = 1\n")
    solved = bench.run()
    give(bench, attempt=1, files=(FileChange(path="a.py", content=b"x = 5\n"),))
    failed = bench.again()
    assert (failed.state, len(failed.attempts), failed.had_passed) == ("UNSOLVED", 2, 1)
    made = len(generate.asked)
    feedback.give(bench.store, bench.id, failed, Feedback(attempt=1), named=True)
    outcome = bench.again()
    assert (outcome.state, outcome.attempts) == ("SOLVED", solved.attempts)
    assert len(generate.asked) == made, "and nobody is asked to write"
    assert bench.again() == outcome, "it has ended"

    feedback.give(bench.store, bench.id, outcome, Feedback(attempt=1, words="no"), named=True)
    again = bench.again()
    assert (again.state, again.attempts[0].verdict.reasons) == ("UNSOLVED", ("the person says: no",))


def test_what_was_said_of_an_attempt_that_failed_holds_where_it_is_named_without_words(bench: Any) -> None:
    bench.parts.hooks["treadle_generate"] = writes("x = 2\n")
    failed = bench.run()
    give(bench, attempt=1, words="it must be 1")
    feedback.give(bench.store, bench.id, failed, Feedback(attempt=1), named=True)
    assert bench.again().attempts[0].verdict.reasons == ("the person says: it must be 1",)


def test_attempts_that_were_set_aside_are_counted_where_a_number_is_refused(bench: Any) -> None:
    bench.parts.hooks["treadle_generate"] = writes("x = 2\n", "x = 3\n")
    bench.run()
    bench.parts.hooks["treadle_generate"] = lambda request: None
    give(bench, attempt=1)
    bench.again()
    with pytest.raises(UsageError, match="has no attempt 99; it has made one, beside 1 that was set aside"):
        give(bench, attempt=99)


def test_where_nothing_was_tried_it_is_not_said_that_nothing_was_found(bench: Any) -> None:
    bench.parts.hooks["treadle_generate"] = lambda request: None
    outcome = bench.run()
    assert outcome.reason == "no plugin that is switched on has tried a change"
    assert "treadle plugins" in outcome.advice

    def looks(request: Any, context: Any) -> None:
        context.execute(request.plan.checks)

    bench.parts.hooks["treadle_generate"] = looks
    assert bench.session(bench.create()).run().reason == "no change was found that makes the checks pass"


def test_of_a_session_without_an_attempt_nothing_can_be_said(bench: Any) -> None:
    bench.parts.hooks["treadle_generate"] = lambda request: None
    bench.run()
    with pytest.raises(UsageError, match="no attempt yet"):
        give(bench, attempt=1, words="x")
