"""Which entries of the book are worth knowing now."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from treadle import Lesson

from treadle_lesson_book.book import Entry


def best(entries: Iterable[Entry], about: str, most: int) -> tuple[Lesson, ...]:
    """One lesson for each remedy of each failure, at most so many. First come those that share the most words with what
    the task is about, then those that helped most often (Laplace's rule of succession), then the latest."""
    words = _words(about)
    ranked = []
    for (failure, remedy), group in groupby(sorted(entries, key=_key), key=_key):
        tries = sorted(group, key=lambda entry: entry.when)
        lesson = _lesson(failure, remedy, tries)
        rate = (lesson.successes + 1) / (lesson.uses + 2)
        ranked.append((len(words & _words(failure)), rate, tries[-1].when, lesson))
    ranked.sort(key=lambda each: each[:3], reverse=True)
    return tuple(lesson for *_, lesson in ranked[:most])


def _key(entry: Entry) -> tuple[str, str]:
    return entry.failure, entry.remedy


def _lesson(failure: str, remedy: str, tries: Sequence[Entry]) -> Lesson:
    helped = [entry for entry in tries if entry.helped]
    return Lesson(
        id="book-" + hashlib.sha256(f"{failure}\0{remedy}".encode()).hexdigest()[:12],
        signature=failure,
        text=(helped or tries)[-1].text,
        remedy=remedy,
        uses=len(tries),
        successes=len(helped),
    )


def _words(text: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Za-z]{3,}", text)}
