"""memory: every ended session leaves lessons, and the next one begins with the best of them.

The setting `path` names the file; without it the lessons stay in this plugin's own folder of the project. A file that
several projects share lets what helped in one be tried in another.
"""

from __future__ import annotations

from pathlib import Path

from treadle.core.context import Context
from treadle.core.contributions import Setting
from treadle.core.hooks import hookimpl
from treadle.core.records import Lesson, Outcome, Task
from treadle.plugins.memory import remembering
from treadle.plugins.memory.lesson_store import LessonStore
from treadle.plugins.memory.sqlite_lessons import open_file


@hookimpl
def treadle_settings() -> tuple[Setting, ...]:
    """Where the lessons are."""
    return (
        Setting(
            name="path",
            default="",
            summary="The file for the lessons; empty: one in the plugin's own folder.",
        ),
    )


@hookimpl
def treadle_recall(task: Task, context: Context) -> tuple[Lesson, ...]:
    """What helped most often: in this project, for tasks like this one, and anywhere."""
    return remembering.recall(task, context, lambda: _open(context))


@hookimpl
def treadle_remember(outcome: Outcome, context: Context) -> None:
    """Store what the session taught, once."""
    remembering.remember(outcome, context, lambda: _open(context))


@hookimpl
def treadle_lessons(words: str, most: int, context: Context) -> tuple[Lesson, ...]:
    """What is kept, for a person who looks through it."""
    return remembering.lessons(words, most, context, lambda: _open(context))


@hookimpl
def treadle_revise_lesson(lesson: str, text: str, forgotten: bool, context: Context) -> bool:
    """What the person wants of a lesson."""
    return remembering.revise(lesson, text, forgotten, context, lambda: _open(context))


def _open(context: Context) -> LessonStore:
    path = str(context.settings().get("path") or "") or str(Path(context.folder("project"), "lessons.db"))
    return open_file(Path(path))
