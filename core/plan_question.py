"""A plan as a person is shown it, and what they are asked about it."""

from __future__ import annotations

from treadle.core.approval import as_shown
from treadle.core.paths import shown
from treadle.core.records import Plan, Question

GO_ON, ANEW, STOP = "go on", "plan anew", "stop"


def plan_lines(plan: Plan) -> tuple[str, ...]:
    """The plan line by line: what the task was classed as, the steps, and the files that are to change, by which
    `approval` tells a change that the plan does not name."""
    classed = (f"{plan.difficulty}: {plan.why_difficulty}",) if plan.why_difficulty else ()
    steps = (f"{number}. {step}" for number, step in enumerate(plan.steps, 1))
    files = (f"files: {', '.join(map(shown, plan.files)) or 'none is named'}",) if plan.goal != "pass" else ()
    return (*classed, *steps, *files)


def plan_question(plan: Plan, notes: tuple[str, ...] = ()) -> Question:
    """Whether the plan is followed, with the tests that were written for it; `notes` say what the person should know of
    how it came about."""
    told = (*plan_lines(plan), *(f"note: {note}" for note in notes))
    tests, code = as_shown(plan.tests)
    return Question(
        id="plan",
        kind="continue",
        text="Follow this plan?",
        options=(GO_ON, ANEW, STOP),
        details=(*told, *tests),
        code=("",) * len(told) + code if tests else (),
        with_words=(ANEW,),
    )
