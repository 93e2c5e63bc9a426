"""memory: every ended session leaves lessons, and the next one begins with the best of them.

The setting `path` names the file; without it the lessons stay in this plugin's own folder of the project. A file that
several projects share lets what helped in one be tried in another.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from treadle.core.context import Context
from treadle.core.errors import StoreError
from treadle.core.hooks import hookimpl
from treadle.core.records import Lesson, Outcome, Task
from treadle.plugins.memory.lesson_store import LessonStore, Taught
from treadle.plugins.memory.signature import NOTHING_FAILED, signature_of

MOST_RECALLED = 10

_WHY = 300


@hookimpl
def treadle_settings() -> dict[str, object]:
    """`path`: the file for the lessons ("" for the plugin's own folder of this project)."""
    return {"path": ""}


@hookimpl
def treadle_recall(task: Task, context: Context) -> tuple[Lesson, ...]:
    """What helped most often: in this project, for tasks like this one, and anywhere."""
    about = " ".join((task.text, *task.files, Path(task.project).name))
    with _open(context) as store:
        return store.recall(task.project, about, MOST_RECALLED) if store is not None else ()
    return ()


@hookimpl
def treadle_remember(outcome: Outcome, context: Context) -> None:
    """Store what the session taught, once."""
    with _open(context) as store:
        if store is not None:
            # A session that ended over its budget and was resumed teaches again when it ends for good.
            ending = f"{outcome.task.id} {outcome.state}"
            store.remember(ending, outcome.task.project, taught_by(outcome), outcome.lessons, time.time())


@contextmanager
def _open(context: Context) -> Iterator[LessonStore | None]:
    """The store, None when it can't be used: a session does not fail for want of its memory."""
    path = str(context.settings().get("path") or "") or str(Path(context.folder("project"), "lessons.db"))
    try:
        store = LessonStore(Path(path))
    except StoreError as error:
        context.log("warning", f"nothing is remembered or recalled: {error}")
        yield None
        return
    try:
        for notice in store.notices:
            context.log("warning", notice)
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
    lessons: dict[str, Taught] = {}
    for attempt in outcome.attempts:
        remedy, helped = attempt.candidate.remedy, winner is attempt
        if helped:
            text = f"{signature}: mended by {remedy or 'a change'}: {_short(attempt.candidate.why)}"
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
