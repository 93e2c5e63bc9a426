"""memory-postgres: lessons as `memory` keeps them, in a PostgreSQL database. `treadle plugin disable memory` belongs to
it, or both remember.

The setting `url` names the database as `postgresql://USER@HOST/DATABASE`, without a password. Each project has its own
lessons there, unless `shared` is true: then what helped in one is tried in the others.
"""

from __future__ import annotations

from pathlib import Path

from treadle.core.context import Context
from treadle.core.contributions import Setting
from treadle.core.errors import ConfigError, PluginError
from treadle.core.hooks import hookimpl
from treadle.core.records import Lesson, Outcome, Task
from treadle.plugins.memory import remembering
from treadle.plugins.memory.lesson_store import LessonStore

try:
    from treadle.plugins.memory.postgres_lessons import open_schema
except ImportError as error:
    raise PluginError(f"needs psycopg: pip install 'treadle[postgres]' ({error})") from error


@hookimpl
def treadle_settings() -> tuple[Setting, ...]:
    """Which database, and for whom."""
    return (
        Setting(name="url", default="", summary="The database, as postgresql://SERVER/NAME."),
        Setting(name="shared", default=False, summary="Whether the projects of its user share their lessons."),
    )


@hookimpl
def treadle_recall(task: Task, context: Context) -> tuple[Lesson, ...]:
    """What helped most often: in this project, for tasks like this one, and anywhere."""
    return remembering.recall(task, context, lambda: _open(task.project, context))


@hookimpl
def treadle_remember(outcome: Outcome, context: Context) -> None:
    """Store what the session taught, once."""
    remembering.remember(outcome, context, lambda: _open(outcome.task.project, context))


@hookimpl
def treadle_lessons(project: str, words: str, most: int, context: Context) -> tuple[Lesson, ...]:
    """What is kept, for a person who looks through it."""
    return remembering.lessons(words, most, context, lambda: _open(project, context))


@hookimpl
def treadle_revise_lesson(project: str, lesson: str, text: str, forgotten: bool, context: Context) -> bool:
    """What the person wants of a lesson."""
    return remembering.revise(lesson, text, forgotten, context, lambda: _open(project, context))


def _open(project: str, context: Context) -> LessonStore:
    settings = context.settings()
    url = str(settings.get("url") or "")
    if not url:
        raise ConfigError("plugins.memory-postgres.url is empty; set it to postgresql://USER@HOST/DATABASE")
    return open_schema(url, None if settings.get("shared") else Path(project))
