"""The file that keeps lessons: SQLite with a full-text index, shared by all sessions that name it.

A lesson is one failure signature with one remedy in one project. Two programs may write at once; what a session taught
is counted once however often it is told.
"""

from __future__ import annotations

import hashlib
import math
import re
import sqlite3
from pathlib import Path
from typing import NamedTuple

from treadle.core.records import Lesson
from treadle.core.store.database import Database

APPLICATION_ID = 0x54724C73
"""Marks the file as Treadle's lessons ("TrLs")."""

_WORDS_ASKED = 60
_LOOKED_AT = 200
_PER_REMEDY = 2
_HALF_LIFE_S = 30 * 86400.0


class Taught(NamedTuple):
    """What one session says of one remedy for one failure. `remedy` "" stands for: nothing was found."""

    signature: str
    remedy: str
    text: str
    helped: bool


class _Kept(NamedTuple):
    id: str
    project: str
    signature: str
    remedy: str
    text: str
    uses: int
    successes: int
    last: float
    matched: int


def _first_schema(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE sessions (task TEXT PRIMARY KEY, ended REAL NOT NULL) WITHOUT ROWID")
    connection.execute(
        "CREATE TABLE lessons (number INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, project TEXT NOT NULL,"
        " signature TEXT NOT NULL, remedy TEXT NOT NULL, text TEXT NOT NULL, uses INTEGER NOT NULL,"
        " successes INTEGER NOT NULL, last REAL NOT NULL)"
    )
    connection.execute("CREATE INDEX lessons_by_project ON lessons (project, last)")
    connection.execute("CREATE VIRTUAL TABLE lesson_words USING fts5 (signature, text)")


class LessonStore:
    """An open file of lessons. `notices` are what had to be done to open it."""

    def __init__(self, path: Path) -> None:
        """Open or create it. A damaged file is set aside. Raises `StoreError`."""
        self._database = Database(path, (_first_schema,), application_id=APPLICATION_ID, what="lessons")
        self.notices = self._database.notices

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def remember(
        self, task: str, project: str, taught: tuple[Taught, ...], recalled: tuple[Lesson, ...], now: float
    ) -> bool:
        """Store what a session taught, and count a use of each lesson it had recalled. A lesson that is taught again,
        or was recalled, has one more use; it has one more success when its remedy is what helped. False when the
        session was counted before."""
        helped = {lesson.remedy for lesson in taught if lesson.helped}
        with self._database.write() as connection:
            if not connection.execute("INSERT OR IGNORE INTO sessions VALUES (?, ?)", (task, now)).rowcount:
                return False
            told = set()
            for lesson in taught:
                told.add(self._teach(connection, project, lesson, now))
            for old in recalled:
                if old.id not in told:
                    success = int(bool(old.remedy) and old.remedy in helped)
                    connection.execute(
                        "UPDATE lessons SET uses = uses + 1, successes = successes + ?, last = max(last, ?)"
                        " WHERE id = ?",
                        (success, now if success else 0.0, old.id),
                    )
        return True

    def _teach(self, connection: sqlite3.Connection, project: str, lesson: Taught, now: float) -> str:
        key = "\0".join((project, lesson.signature, lesson.remedy)).encode("utf-8", "surrogatepass")
        lesson_id = hashlib.sha256(key).hexdigest()[:16]
        success = int(lesson.helped)
        changed = connection.execute(
            "UPDATE lessons SET uses = uses + 1, successes = successes + ?, last = max(last, ?) WHERE id = ?",
            (success, now, lesson_id),
        )
        if changed.rowcount and success:
            connection.execute("UPDATE lessons SET text = ? WHERE id = ?", (lesson.text, lesson_id))
            connection.execute(
                "UPDATE lesson_words SET text = ? WHERE rowid = (SELECT number FROM lessons WHERE id = ?)",
                (lesson.text, lesson_id),
            )
        if not changed.rowcount:
            number = connection.execute(
                "INSERT INTO lessons (id, project, signature, remedy, text, uses, successes, last)"
                " VALUES (?, ?, ?, ?, ?, 1, ?, ?)",
                (lesson_id, project, lesson.signature, lesson.remedy, lesson.text, success, now),
            ).lastrowid
            connection.execute(
                "INSERT INTO lesson_words (rowid, signature, text) VALUES (?, ?, ?)",
                (number, lesson.signature, lesson.text),
            )
        return lesson_id

    def recall(self, project: str, about: str, most: int) -> tuple[Lesson, ...]:
        """The lessons worth knowing, the best first: those of this project, those whose words match, and the remedies
        that helped most often anywhere."""
        columns = "l.id, l.project, l.signature, l.remedy, l.text, l.uses, l.successes, l.last"
        own = self._database.read(
            f"SELECT {columns}, 0 FROM lessons l WHERE project = ? ORDER BY last DESC LIMIT ?", project, _LOOKED_AT
        )
        best = self._database.read(
            f"SELECT {columns}, 0 FROM lessons l WHERE successes > 0"
            " ORDER BY (successes + 1.0) / (uses + 2.0) DESC, last DESC LIMIT ?",
            _LOOKED_AT,
        )
        query = match_query(about)
        matching = (
            self._database.read(
                f"SELECT {columns}, 1 FROM lesson_words w JOIN lessons l ON l.number = w.rowid"
                " WHERE lesson_words MATCH ? ORDER BY rank LIMIT ?",
                query,
                _LOOKED_AT,
            )
            if query
            else []
        )
        kept: dict[str, _Kept] = {}
        for row in [*own, *best, *matching]:
            lesson = _Kept(*row)
            known = kept.get(lesson.id)
            kept[lesson.id] = lesson if known is None or lesson.matched else known
        return tuple(
            Lesson(id=k.id, signature=k.signature, text=k.text, remedy=k.remedy, uses=k.uses, successes=k.successes)
            for k in _ordered(list(kept.values()), project)[:most]
        )


def _ordered(lessons: list[_Kept], project: str) -> list[_Kept]:
    """By smoothed success rate (Laplace's rule of succession), with a bonus for this project, for matching words and
    for being recent, and at most two lessons for one remedy, so that a few places show many remedies."""
    newest = max((lesson.last for lesson in lessons), default=0.0)

    def worth(lesson: _Kept) -> float:
        rate = (lesson.successes + 1) / (lesson.uses + 2)
        recent = math.pow(0.5, (newest - lesson.last) / _HALF_LIFE_S)
        return rate + 0.25 * (lesson.project == project) + 0.25 * lesson.matched + 0.1 * recent

    chosen: list[_Kept] = []
    count: dict[str, int] = {}
    for lesson in sorted(lessons, key=lambda k: (-worth(k), -k.last, k.id)):
        count[lesson.remedy] = count.get(lesson.remedy, 0) + 1
        if count[lesson.remedy] <= _PER_REMEDY:
            chosen.append(lesson)
    return chosen


def match_query(text: str) -> str:
    """An FTS5 query for any of a text's words, each quoted, so that no word is an operator; "" without words."""
    words = dict.fromkeys(word.lower() for word in re.findall(r"[^\W_]+", text[:20_000]) if len(word) > 1)
    return " OR ".join(f'"{word}"' for word in list(words)[:_WORDS_ASKED])
