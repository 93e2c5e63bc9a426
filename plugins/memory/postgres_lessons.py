"""Lessons in a schema of a PostgreSQL database, with a `tsvector` to find them by their words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from treadle.core.store.back_end import BackEnd, Transaction
from treadle.core.store.postgres.database import PostgresSchema
from treadle.core.store.postgres.lexemes import any_of, vector, words_of
from treadle.core.store.postgres.naming import schema_name
from treadle.plugins.memory.lesson_store import LessonStore

_FIRST = (
    "CREATE TABLE sessions (task TEXT PRIMARY KEY, ended DOUBLE PRECISION NOT NULL)",
    """CREATE TABLE lessons (
        id TEXT PRIMARY KEY,
        project TEXT NOT NULL,
        signature TEXT NOT NULL,
        remedy TEXT NOT NULL,
        text TEXT NOT NULL,
        uses BIGINT NOT NULL,
        successes BIGINT NOT NULL,
        last DOUBLE PRECISION NOT NULL,
        words TSVECTOR NOT NULL DEFAULT ''
    )""",
    "CREATE INDEX lessons_by_project ON lessons (project, last)",
    "CREATE INDEX lessons_by_word ON lessons USING gin (words)",
)

_FORGOTTEN = ("ALTER TABLE lessons ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0",)


def open_schema(url: str, project: Path | None) -> LessonStore:
    """Open or create the lessons of one project, or (None) those that all projects of the server's user share. Raises
    `StoreError`, and `ConfigError` for a URL that can't be used."""
    # No project is called so: their paths are absolute.
    named = partial(schema_name, "lessons", project or Path("shared"))
    database = PostgresSchema(url, named, (_FIRST, _FORGOTTEN), what="lessons")
    return LessonStore(database, _Words(database))


class _Words:
    """The `LessonWords` of a PostgreSQL schema."""

    def __init__(self, back_end: BackEnd) -> None:
        self._back_end = back_end

    def keep(self, transaction: Transaction, lesson_id: str, signature: str, text: str) -> None:
        words = vector(f"{signature}\n{text}")
        transaction.execute("UPDATE lessons SET words = ?::tsvector WHERE id = ?", (words, lesson_id))

    def matching(self, columns: str, words: Sequence[str], most: int) -> list[Any]:
        query = any_of(f"'{piece}'" for word in words for piece in words_of(word))
        return self._back_end.read(
            f"SELECT {columns} FROM lessons l WHERE words @@ ?::tsquery AND forgotten = 0"
            " ORDER BY ts_rank(words, ?::tsquery) DESC, last DESC LIMIT ?",
            query,
            query,
            most,
        )
