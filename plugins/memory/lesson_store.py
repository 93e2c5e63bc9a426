"""The lessons, in tables of SQLite or PostgreSQL, shared by all sessions that name them.

A lesson is one failure signature with one remedy in one project. Two programs may write at once; what a session taught
is counted once however often it is told.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import re
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from treadle.core.records import Lesson
from treadle.core.store.back_end import BackEnd, Transaction
from treadle.core.store.storable_text import storable

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


class LessonWords(Protocol):
    """Finding lessons by their words."""

    def keep(self, transaction: Transaction, lesson_id: str, signature: str, text: str) -> None:
        """Have a stored lesson found by the words of its signature and its text, and by no others from now on."""
        ...

    def matching(self, columns: str, words: Sequence[str], most: int) -> list[Any]:
        """These columns of the lessons `l` that hold any of the words, the best first."""
        ...


class LessonStore:
    """The lessons of one database. `notices` are what had to be done to open it."""

    def __init__(self, back_end: BackEnd, words: LessonWords) -> None:
        self._back_end = back_end
        self._words = words
        self.notices = back_end.notices

    def close(self) -> None:
        """Close the database."""
        self._back_end.close()

    def remember(
        self, task: str, project: str, taught: tuple[Taught, ...], recalled: tuple[Lesson, ...], now: float
    ) -> bool:
        """Store what a session taught, and count a use of each lesson it had recalled. A lesson that is taught again,
        or was recalled, has one more use; it has one more success when its remedy is what helped. False when the
        session was counted before."""
        taught = tuple(map(_storable, taught))
        helped = {lesson.remedy for lesson in taught if lesson.helped}
        with self._back_end.write() as transaction:
            counted = transaction.execute(
                "INSERT INTO sessions (task, ended) VALUES (?, ?) ON CONFLICT DO NOTHING", (storable(task), now)
            )
            if not counted.rowcount:
                return False
            told = {self._teach(transaction, storable(project), lesson, now) for lesson in taught}
            for old in recalled:
                if old.id not in told:
                    success = bool(old.remedy) and old.remedy in helped
                    _use(transaction, storable(old.id), success, now if success else 0.0)
        return True

    def lessons(self, words: str, most: int) -> tuple[Lesson, ...]:
        """Those that are not forgotten and hold all of these words, in whatever case, the latest first."""
        rows = self._back_end.read(
            "SELECT id, signature, text, remedy, uses, successes FROM lessons WHERE forgotten = 0"
            " ORDER BY last DESC, id"
        )
        found = (
            Lesson(id=i, signature=signature, text=text, remedy=remedy, uses=uses, successes=successes)
            for i, signature, text, remedy, uses, successes in rows
        )
        wanted = words.lower().split()
        holding = (each for each in found if all(word in _all_words(each) for word in wanted))
        return tuple(itertools.islice(holding, most))

    def revise(self, lesson_id: str, text: str, *, forgotten: bool) -> bool:
        """Give a lesson another text ("" leaves it), and have it forgotten or not. False when there is none of that
        id."""
        lesson_id, text = storable(lesson_id), storable(text)
        with self._back_end.write() as transaction:
            changed = transaction.execute(
                "UPDATE lessons SET forgotten = ?, text = CASE WHEN ? = '' THEN text ELSE ? END WHERE id = ?",
                (int(forgotten), text, text, lesson_id),
            )
            if not changed.rowcount:
                return False
            row = transaction.execute("SELECT signature, text FROM lessons WHERE id = ?", (lesson_id,)).fetchone()
            self._words.keep(transaction, lesson_id, row[0], row[1])
        return True

    def _teach(self, transaction: Transaction, project: str, lesson: Taught, now: float) -> str:
        key = "\0".join((project, lesson.signature, lesson.remedy)).encode()
        lesson_id = hashlib.sha256(key).hexdigest()[:16]
        known = _use(transaction, lesson_id, lesson.helped, now)
        if known and lesson.helped:
            transaction.execute("UPDATE lessons SET text = ? WHERE id = ?", (lesson.text, lesson_id))
        if not known:
            transaction.execute(
                "INSERT INTO lessons (id, project, signature, remedy, text, uses, successes, last)"
                " VALUES (?, ?, ?, ?, ?, 1, ?, ?)",
                (lesson_id, project, lesson.signature, lesson.remedy, lesson.text, int(lesson.helped), now),
            )
        if lesson.helped or not known:
            self._words.keep(transaction, lesson_id, lesson.signature, lesson.text)
        return lesson_id

    def recall(self, project: str, about: str, most: int) -> tuple[Lesson, ...]:
        """The lessons worth knowing, the best first: those of this project, those whose words match, and the remedies
        that helped most often anywhere."""
        columns = "l.id, l.project, l.signature, l.remedy, l.text, l.uses, l.successes, l.last"
        own = self._back_end.read(
            f"SELECT {columns}, 0 FROM lessons l WHERE project = ? AND forgotten = 0 ORDER BY last DESC LIMIT ?",
            storable(project),
            _LOOKED_AT,
        )
        best = self._back_end.read(
            f"SELECT {columns}, 0 FROM lessons l WHERE successes > 0 AND forgotten = 0"
            " ORDER BY (successes + 1.0) / (uses + 2.0) DESC, last DESC LIMIT ?",
            _LOOKED_AT,
        )
        words = words_asked(about)
        matching = self._words.matching(f"{columns}, 1", words, _LOOKED_AT) if words else []
        kept: dict[str, _Kept] = {}
        for row in [*own, *best, *matching]:
            lesson = _Kept(*row)
            known = kept.get(lesson.id)
            kept[lesson.id] = lesson if known is None or lesson.matched else known
        return tuple(
            Lesson(id=k.id, signature=k.signature, text=k.text, remedy=k.remedy, uses=k.uses, successes=k.successes)
            for k in _ordered(list(kept.values()), storable(project))[:most]
        )


def _all_words(lesson: Lesson) -> str:
    return f"{lesson.signature} {lesson.text} {lesson.remedy}".lower()


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


def words_asked(text: str) -> list[str]:
    """The words of a text that lessons are looked for by: letters and digits alone, each once."""
    words = dict.fromkeys(word.lower() for word in re.findall(r"[^\W_]+", text[:20_000]) if len(word) > 1)
    return list(words)[:_WORDS_ASKED]


def _use(transaction: Transaction, lesson_id: str, success: bool, moment: float) -> bool:
    """Count one more use; False when there is no such lesson."""
    changed = transaction.execute(
        "UPDATE lessons SET uses = uses + 1, successes = successes + ?,"
        " last = CASE WHEN last < ? THEN ? ELSE last END WHERE id = ?",
        (int(success), moment, moment, lesson_id),
    )
    return bool(changed.rowcount)


def _storable(lesson: Taught) -> Taught:
    return Taught(storable(lesson.signature), storable(lesson.remedy), storable(lesson.text), lesson.helped)
