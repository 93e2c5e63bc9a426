"""What a question is about, line by line: each of its details, and below it the code that it is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from treadle.core.records import Question
from treadle.tui.safe_text import visible
from treadle.tui.story.line import Line


def code_lines(excerpt: str) -> list[str]:
    """The lines of an excerpt, fit for a terminal: what that would obey is made visible, and blanks are kept."""
    return visible(excerpt).split("\n") if excerpt else []


def with_code(details: Sequence[str], code: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each detail with its excerpt, "" where there is none."""
    return zip_longest(details, code[: len(details)], fillvalue="")


def once_more(text: str, details: Sequence[str], code: Sequence[str]) -> str:
    """What a question is about, for the line above it where code stands between them; "" where it says so itself."""
    if not details or not any(code) or details[0].partition(":")[0] in text:
        return ""
    more = len(details) - 1
    return f"About {details[0]}{f'; {more} more above' if more else ''}"


def about_lines(key: str, question: Question) -> list[Line]:
    """What the question is about, as lines of a screen that hide and cut nothing."""
    lines: list[Line] = []
    for number, (detail, excerpt) in enumerate(with_code(question.details, question.code), 1):
        told = visible(detail).split("\n")
        lines += [Line(f"{key}.{number}.{n}", "text", text) for n, text in enumerate(told, 1)]
        lines += [Line(f"{key}.{number}.code.{n}", "code", text) for n, text in enumerate(code_lines(excerpt), 1)]
    return lines
