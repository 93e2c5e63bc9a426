"""Lessons in a SQLite file, with FTS5 to find them by their words."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from treadle.core.store.back_end import BackEnd, Transaction
from treadle.core.store.database import Database
from treadle.plugins.memory.lesson_store import LessonStore

APPLICATION_ID = 0x54724C73
"""Marks the file as Treadle's lessons ("TrLs")."""


def open_file(path: Path) -> LessonStore:
    """Open or create the file. A damaged one is set aside. Raises `StoreError`."""
    database = Database(path, (_first_schema, _forgotten), application_id=APPLICATION_ID, what="lessons")
    return LessonStore(database, _Words(database))


def _first_schema(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE sessions (task TEXT PRIMARY KEY, ended REAL NOT NULL) WITHOUT ROWID")
    connection.execute(
        "CREATE TABLE lessons (number INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, project TEXT NOT NULL,"
        " signature TEXT NOT NULL, remedy TEXT NOT NULL, text TEXT NOT NULL, uses INTEGER NOT NULL,"
        " successes INTEGER NOT NULL, last REAL NOT NULL)"
    )
    connection.execute("CREATE INDEX lessons_by_project ON lessons (project, last)")
    connection.execute("CREATE VIRTUAL TABLE lesson_words USING fts5 (signature, text)")


def _forgotten(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE lessons ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0")


class _Words:
    """The `LessonWords` of a SQLite file."""

    def __init__(self, back_end: BackEnd) -> None:
        self._back_end = back_end

    def keep(self, transaction: Transaction, lesson_id: str, signature: str, text: str) -> None:
        transaction.execute(
            "REPLACE INTO lesson_words (rowid, signature, text) SELECT number, ?, ? FROM lessons WHERE id = ?",
            (signature, text, lesson_id),
        )

    def matching(self, columns: str, words: Sequence[str], most: int) -> list[Any]:
        return self._back_end.read(
            f"SELECT {columns} FROM lesson_words w JOIN lessons l ON l.number = w.rowid"
            " WHERE lesson_words MATCH ? AND l.forgotten = 0 ORDER BY rank LIMIT ?",
            match_query(words),
            most,
        )


def match_query(words: Sequence[str]) -> str:
    """An FTS5 query for any of the words, each quoted, so that none is an operator."""
    return " OR ".join(f'"{word}"' for word in words)
