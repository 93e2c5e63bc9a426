"""When lessons are recalled and what an ended session teaches, whatever keeps them.

A session does not fail for want of its memory: a store that can't be used is a line in the log.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from treadle.core.best_attempt import speaks_for
from treadle.core.context import Context
from treadle.core.errors import ConfigError, StoreError
from treadle.core.records import Lesson, Outcome, Task
from treadle.plugins.memory.lesson_store import LessonStore, Taught
from treadle.plugins.memory.signature import NOTHING_FAILED, signature_of, still_fails

MOST_RECALLED = 10

_WHY = 300

Open = Callable[[], LessonStore]
"""Opens the lessons for one call. Raises `StoreError`, or `ConfigError` for a setting that names none."""


def recall(task: Task, context: Context, open_lessons: Open) -> tuple[Lesson, ...]:
    """What helped most often: in this project, for tasks like this one, and anywhere."""
    about = " ".join((task.text, *task.files, Path(task.project).name))
    with _opened(context, open_lessons, tell=True) as store:
        return store.recall(task.project, about, MOST_RECALLED) if store is not None else ()
    return ()


def remember(outcome: Outcome, context: Context, open_lessons: Open) -> None:
    """Store what the session taught, once."""
    with _opened(context, open_lessons) as store:
        if store is not None:
            # A session that ended over its budget and was resumed teaches again when it ends for good.
            ending = f"{outcome.task.id} {outcome.state}"
            store.remember(ending, outcome.task.project, taught_by(outcome), outcome.lessons, time.time())


def lessons(words: str, most: int, context: Context, open_lessons: Open) -> tuple[Lesson, ...]:
    """What is kept, for a person who looks through it."""
    with _opened(context, open_lessons, tell=True) as store:
        return store.lessons(words, most) if store is not None else ()
    return ()


def revise(lesson: str, text: str, forgotten: bool, context: Context, open_lessons: Open) -> bool:
    """What the person wants of a lesson. Whether it is kept here."""
    with _opened(context, open_lessons, tell=True) as store:
        return store.revise(lesson, text, forgotten=forgotten) if store is not None else False
    return False


@contextmanager
def _opened(context: Context, open_lessons: Open, *, tell: bool = False) -> Iterator[LessonStore | None]:
    """The store, None when it can't be used. `tell`: a setting that the person has to mend is told to them."""
    try:
        store = open_lessons()
    except (StoreError, ConfigError) as error:
        context.log("warning", f"nothing is remembered or recalled: {error}")
        if tell and isinstance(error, ConfigError):
            context.note(f"nothing is remembered or recalled: {error}")
        yield None
        return
    try:
        for notice in store.notices:
            context.log("warning", notice)
            context.note(notice)
        yield store
    except StoreError as error:
        context.log("warning", f"nothing is remembered or recalled: {error}")
    finally:
        store.close()


def taught_by(outcome: Outcome) -> tuple[Taught, ...]:
    """A lesson for each remedy that was tried, whether it helped or not; one without a remedy when none was tried."""
    signature = signature_of(outcome.baseline)
    if signature == NOTHING_FAILED and not outcome.attempts:
        return ()
    winner = outcome.winner if outcome.state == "SOLVED" else None
    if outcome.task.kind == "run" and winner is not None and not any(map(speaks_for, winner.executions)):
        return ()  # nothing has passed with it: nobody knows whether it helped
    beside = winner is not None and still_fails(outcome.baseline, winner.executions)
    came_to = "mended by"
    if outcome.task.kind == "run" and (beside or signature == NOTHING_FAILED):
        # Nothing was mended, or had to be: the task is what it was about, and whether it was kept is not known here.
        signature, came_to = _short(outcome.task.text), "a change held that was made by"
    lessons: dict[str, Taught] = {}
    for attempt in outcome.attempts:
        remedy, helped = attempt.candidate.remedy, winner is attempt
        if helped:
            text = f"{signature}: {came_to} {remedy or 'a change'}: {_short(attempt.candidate.why)}"
        else:
            text = f"{signature}: {remedy or 'a change'} did not help: {_short('; '.join(attempt.verdict.reasons))}"
        if helped or remedy not in lessons:
            lessons[remedy] = Taught(signature, remedy, text, helped)
    if not lessons:
        return (Taught(signature, "", f"{signature}: nothing was found: {_short(outcome.reason)}", False),)
    return tuple(lessons.values())


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _WHY else line[: _WHY - 3] + "..."
