"""lesson-book: what each session tried and what came of it, in a file that people can read."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from pathspec import PathSpec
from treadle import Attempt, Context, Lesson, Outcome, Setting, Task, hookimpl

from treadle_lesson_book.book import Book, Entry
from treadle_lesson_book.failure import failure_of
from treadle_lesson_book.recalling import best

treadle_api_version = 1

_LONGEST = 300


@hookimpl
def treadle_settings() -> tuple[Setting, ...]:
    """How much is recalled, and what is never written down."""
    return (
        Setting(name="most", default=5, least=0, summary="Lessons that are recalled at the most."),
        Setting(name="private", default=(), summary="Files whose attempts are not kept, as in a .gitignore."),
    )


@hookimpl
def treadle_recall(task: Task, context: Context) -> tuple[Lesson, ...]:
    """What helped with failures like this one, the best first."""
    most = context.settings()["most"]
    assert isinstance(most, int)
    return best(_book(context).entries(), " ".join((task.text, *task.files)), most)


@hookimpl
def treadle_remember(outcome: Outcome, context: Context) -> None:
    """Write down each attempt that touched no private file. A session that is told of twice is written once."""
    written = _book(context).write(list(_entries(outcome, _private(context))))
    if written:
        context.emit("written", {"lessons": written})


def _book(context: Context) -> Book:
    return Book(Path(context.folder("project"), "lessons.jsonl"))


def _private(context: Context) -> PathSpec:
    patterns = context.settings()["private"]
    assert isinstance(patterns, list | tuple)
    return PathSpec.from_lines("gitwildmatch", map(str, patterns))


def _entries(outcome: Outcome, private: PathSpec) -> Iterator[Entry]:
    failure = failure_of(outcome.baseline)
    if not failure:
        return
    for attempt in outcome.attempts:
        if any(private.match_file(change.path) for change in attempt.candidate.files):
            continue
        helped = outcome.state == "SOLVED" and attempt == outcome.winner
        yield Entry(
            task=outcome.task.id,
            failure=failure,
            remedy=attempt.candidate.remedy,
            helped=helped,
            text=_said(attempt, helped),
            when=time.time(),
        )


def _said(attempt: Attempt, helped: bool) -> str:
    said = attempt.candidate.why if helped else "; ".join(attempt.verdict.reasons)
    return " ".join(said.split())[:_LONGEST]
