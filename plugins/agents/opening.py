"""What an agent is told at the beginning: the task, what is known of it, and a map of the project."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from treadle.core.records import Attempt, Execution, Lesson, Plan, RejectedPlan, Task
from treadle.core.redaction import shown_by_line, valid_text
from treadle.core.testrun import report_of
from treadle.core.tree.workspace import Tree
from treadle.plugins.agents.fenced import fenced
from treadle.plugins.agents.repository.repository_map import repository_map

MAP_TOKENS = 3_000
_MOST_LESSONS = 5
_MOST_FAILING = 12
_MOST_DETAILS = 8
"""Details of a signal that speaks against an attempt."""
_LONGEST = 1_500
"""Characters of one piece of what others said."""
_LONGEST_TESTS = 12_000
"""Characters of a file of tests that were written for the task."""


def opening(
    task: Task,
    tree: Tree,
    *,
    plan: Plan | None = None,
    baseline: tuple[Execution, ...] = (),
    attempts: tuple[Attempt, ...] = (),
    lessons: tuple[Lesson, ...] = (),
    rejected: tuple[RejectedPlan, ...] = (),
) -> str:
    """The first message of a conversation, in Markdown."""
    known = (
        _section("Earlier in this conversation", _earlier(task)),
        _section("Task", [task.text]),
        _section("It is about", task.files),
        _section("Plans that another one has to take the place of", _rejected(rejected)),
        _section("Plan", _numbered(plan.steps) if plan else ()),
        _section("Tests that were written for it", _written(plan) if plan else ()),
        _section("Tests as they are", _tests(baseline)),
        _section("What was tried before", _tried(attempts)),
        _section("What earlier sessions taught", (f"- {_piece(lesson.text)}" for lesson in lessons[:_MOST_LESSONS])),
    )
    words = " ".join((task.text, *(plan.steps if plan else ()), *_failing_words(baseline)))
    shown = repository_map(tree, words, budget_tokens=MAP_TOKENS, named=task.files + (plan.files if plan else ()))
    return valid_text("\n\n".join((*filter(None, known), f"## The project\n\n{shown.text}")))


def _piece(text: str, most: int = _LONGEST) -> str:
    """The beginning of what others said, cut when the secrets in it are out: a part of one has no shape."""
    return shown_by_line(text)[:most]


def _section(title: str, lines: Iterable[str]) -> str:
    text = "\n".join(lines).strip()
    return f"## {title}\n\n{text}" if text else ""


def _earlier(task: Task) -> Iterator[str]:
    for exchange in task.earlier:
        yield f"The person asked: {_piece(exchange.asked)}"
        yield f"What came of it: {_piece(exchange.came)}\n"


def _numbered(steps: Iterable[str]) -> Iterator[str]:
    return (f"{number}. {step}" for number, step in enumerate(steps, 1))


def _rejected(plans: tuple[RejectedPlan, ...]) -> Iterator[str]:
    if plans:
        yield "Make another plan, which heeds what is said of these:\n"
    for each in plans:
        yield from _numbered(each.plan.steps)
        yield f"Files: {', '.join(each.plan.files)}"
        if each.was_tried:
            yield f"It was followed, and did not hold: {_piece(each.words) or 'another plan is needed'}\n"
        else:
            yield f"The person says: {_piece(each.words) or 'another plan is wanted'}\n"


def _written(plan: Plan) -> Iterator[str]:
    """The tests that the change will be judged by, whole: they name what it has to offer."""
    if plan.tests_count and plan.tests:
        yield "The change has to pass them. They are laid over the project when it is tried; they can't be changed."
        for change in plan.tests:
            text = (change.content or b"").decode("utf-8", "replace")
            yield "\n" + fenced(f"python {change.path}", _piece(text, _LONGEST_TESTS))


def _tests(baseline: tuple[Execution, ...]) -> Iterator[str]:
    for report in filter(None, map(report_of, baseline)):
        yield f"{len(report.passing)} pass, {len(report.failing)} fail."
        for test in report.failing[:_MOST_FAILING]:
            yield f"- {test.id}: {_piece(test.message)}"
        if len(report.failing) > _MOST_FAILING:
            yield f"- and {len(report.failing) - _MOST_FAILING} more"


def _failing_words(baseline: tuple[Execution, ...]) -> Iterator[str]:
    for report in filter(None, map(report_of, baseline)):
        yield from (_piece(f"{test.id} {test.message}") for test in report.failing[:_MOST_FAILING])


def _tried(attempts: tuple[Attempt, ...]) -> Iterator[str]:
    for attempt in attempts:
        files = ", ".join(change.path for change in attempt.candidate.files)
        yield f"- Attempt {attempt.number} changed {files} ({_piece(attempt.candidate.why)})."
        wrong = attempt.reflection.wrong if attempt.reflection else "; ".join(attempt.verdict.reasons)
        yield f"  It did not hold: {_piece(wrong)}"
        yield from (
            f"  {_piece(line)}"
            for signal in attempt.signals
            if not signal.ok
            for line in signal.details[:_MOST_DETAILS]
        )
        if attempt.reflection:
            yield f"  Advice: {_piece(attempt.reflection.advice)}"
