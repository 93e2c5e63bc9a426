"""A plan that the person is shown before it is followed, and what they can say of it."""

from __future__ import annotations

from typing import Any

import pytest

from treadle.core import questions
from treadle.core.errors import BudgetExceeded, NoModel, NoPlugin, Stopped, TreadleError, UsageError
from treadle.core.plan_question import ANEW, GO_ON, STOP, plan_lines
from treadle.core.records import Plan, RejectedPlan

FIRST = Plan(steps=("use a list",), checks=(), goal="change", files=("a.py", "cli.py"))
OTHER = Plan(steps=("use a dict",), checks=(), goal="change", files=("a.py",))


def plans(bench: Any, *made: Plan) -> list[tuple[RejectedPlan, ...]]:
    """Have these plans made one after the other; what each of them was made after."""
    heard: list[tuple[RejectedPlan, ...]] = []
    coming = iter(made)

    def plan(rejected: tuple[RejectedPlan, ...]) -> Plan:
        heard.append(rejected)
        return next(coming)

    bench.parts.hooks["treadle_plan"] = plan
    bench.kind, bench.shows_plan = "run", True
    return heard


def asked(bench: Any) -> tuple[str, ...]:
    found = questions.open_question(bench.store.events(bench.id))
    assert found is not None
    return found[1].details


def test_what_is_said_of_a_plan_is_heard_by_whoever_plans_anew(bench: Any) -> None:
    heard = plans(bench, FIRST, FIRST, OTHER)
    assert bench.run().state == "NEEDS_PERSON"
    for words in ("use a dict", "and leave cli.py alone"):
        assert "files: a.py, cli.py" in asked(bench)
        questions.answer(bench.store, bench.id, ANEW, words)
        assert bench.again().state == "NEEDS_PERSON"
    assert asked(bench) == plan_lines(OTHER) == ("1. use a dict", "files: a.py")
    said = (RejectedPlan(plan=FIRST, words="use a dict"), RejectedPlan(plan=FIRST, words="and leave cli.py alone"))
    assert heard == [(), said[:1], said]
    questions.answer(bench.store, bench.id, GO_ON)
    assert bench.again().state == "SOLVED"
    assert len(heard) == 3, "what was planned is read back"


@pytest.mark.parametrize(
    ("second", "answer", "state"),
    [(Plan(steps=(), checks=(), answer="It is one."), "", "SOLVED"), (OTHER, STOP, "UNSOLVED")],
)
def test_planning_anew_may_end_in_an_answer_or_in_nothing(bench: Any, second: Plan, answer: str, state: str) -> None:
    plans(bench, FIRST, second)
    bench.run()
    questions.answer(bench.store, bench.id, ANEW)
    if answer:
        assert bench.again().state == "NEEDS_PERSON"
        questions.answer(bench.store, bench.id, answer)
    outcome = bench.again()
    assert (outcome.state, outcome.answer, outcome.attempts) == (state, second.answer, ())


def test_words_are_for_another_plan_alone(bench: Any) -> None:
    plans(bench, FIRST)
    bench.run()
    with pytest.raises(UsageError, match="nobody would read them; with 'plan anew' they do"):
        questions.answer(bench.store, bench.id, GO_ON, "but quickly")


@pytest.mark.parametrize(
    ("trouble", "state"),
    [
        (NoModel("nobody answered"), "NEEDS_PERSON"),
        (NoPlugin("nobody plans"), "NEEDS_PERSON"),
        (UsageError("the planner said nothing"), "NEEDS_PERSON"),
        (BudgetExceeded("no money", "usd", "budget.usd"), "OVER_BUDGET"),
        (Stopped("stopped"), "STOPPED"),
    ],
)
def test_where_no_other_plan_comes_the_one_that_was_shown_can_be_followed(
    bench: Any, trouble: TreadleError, state: str
) -> None:
    plans(bench, FIRST)
    bench.run()
    made = bench.parts.hooks["treadle_plan"]

    def fails(rejected: tuple[RejectedPlan, ...]) -> Plan:
        raise trouble

    bench.parts.hooks["treadle_plan"] = fails
    questions.answer(bench.store, bench.id, ANEW)
    for _ in range(2):  # a resume tries once more, and asks it once
        assert bench.again().state == state
        assert asked(bench) == (*plan_lines(FIRST), f"note: no other plan was made: {trouble}")
    bench.parts.hooks["treadle_plan"] = made
    questions.answer(bench.store, bench.id, GO_ON)
    assert bench.again().state == "SOLVED"


def test_once_another_plan_came_after_all_that_one_is_asked_about_alone(bench: Any) -> None:
    plans(bench, FIRST)
    bench.run()

    def fails(rejected: tuple[RejectedPlan, ...]) -> Plan:
        raise NoModel("nobody answered")

    bench.parts.hooks["treadle_plan"] = fails
    questions.answer(bench.store, bench.id, ANEW)
    bench.again()
    plans(bench, OTHER)
    assert bench.again().state == "NEEDS_PERSON"
    assert asked(bench) == plan_lines(OTHER)


def test_what_was_said_of_a_plan_is_heard_with_what_is_said_after_nobody_answered(bench: Any) -> None:
    heard = plans(bench, FIRST)
    bench.run()

    def fails(rejected: tuple[RejectedPlan, ...]) -> Plan:
        heard.append(rejected)
        raise NoModel("nobody answered")

    bench.parts.hooks["treadle_plan"] = fails
    for words in ("use a dict", "", "and keep it small"):
        questions.answer(bench.store, bench.id, ANEW, words)
        bench.again()
    assert [[each.words for each in rejected] for rejected in heard[1:]] == [
        ["use a dict"],
        ["use a dict"],
        ["use a dict; and keep it small"],
    ]
