"""Which lines of a file an edit means that does not search for them as they are: by a part of them, or with the numbers
that they were shown with."""

from __future__ import annotations

import re

_NUMBERED = re.compile(r" *(\d+)(?:  (.*))?")


def lines_meant(text: str, search: str, replace: str) -> tuple[str, str] | None:
    """The whole lines of the text that are meant, and those that shall take their place; None where there is not
    exactly one place."""
    bare = without_numbers(search)
    if bare is not None and bare.strip():
        return bare, _without_their_numbers(replace)
    return _around(text, search.removesuffix("\n"), replace.removesuffix("\n"))


def without_numbers(text: str, start: int | None = None) -> str | None:
    """The text without the numbers of its lines; None where not each line has one, they don't follow each other, or the
    first is not `start`."""
    lines = text.removesuffix("\n").split("\n")
    found = [_NUMBERED.fullmatch(line) for line in lines]
    numbers = [int(each[1][:9]) for each in found if each]
    first = numbers[0] if numbers and start is None else start
    if first is None or numbers != list(range(first, first + len(lines))):
        return None
    return "\n".join(each[2] or "" for each in found if each) + text[len(text.removesuffix("\n")) :]


def _without_their_numbers(text: str) -> str:
    """Lines that take the place of numbered ones are numbered too, or only those that were there. A number alone is an
    empty line's only where it follows on that of the line above."""
    lines: list[str] = []
    last = None
    for line in text.split("\n"):
        each = _NUMBERED.fullmatch(line)
        number = int(each[1][:9]) if each else None
        is_number = each is not None and (each[2] is not None or (last is not None and number == last + 1))
        lines.append((each[2] or "") if each and is_number else line)
        last = number if is_number else last
    return "\n".join(lines)


def _around(text: str, search: str, replace: str) -> tuple[str, str] | None:
    start = text.find(search)
    end = start + len(search)
    if not search.strip() or start < 0 or text.find(search, start + 1) >= 0:
        return None
    if _splits_a_word(text, start) or _splits_a_word(text, end):
        return None
    begins = text.rfind("\n", 0, start) + 1
    ends = text.find("\n", end)
    ends = len(text) if ends < 0 else ends
    return text[begins:ends], text[begins:start] + replace + text[end:ends]


def _splits_a_word(text: str, at: int) -> bool:
    """Or a number, such as `1.5`."""
    return re.fullmatch(r"\w\w|\d\.|\.\d", text[max(at - 1, 0) : at + 1]) is not None
