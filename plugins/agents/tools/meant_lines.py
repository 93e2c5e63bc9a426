"""Which lines of a file an edit means that does not search for them as they are: by a part of them, or with the numbers
that they were shown with."""

from __future__ import annotations

import re

from treadle.core.errors import ReplyError

_SHOWN = 5
_MOST_PLACES = 1_000
_NUMBERED = re.compile(r" *(\d+)(?:  (.*))?")


def lines_meant(path: str, text: str, search: str, replace: str) -> tuple[str, str] | None:
    """The whole lines of the text that are meant, and those that shall take their place; None where there are none.
    Raises `ReplyError` where there are several."""
    bare = without_numbers(search)
    if bare is not None and bare.strip():
        return bare, _without_their_numbers(replace)
    return _around(path, text, search.removesuffix("\n"), replace.removesuffix("\n"))


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


def _around(path: str, text: str, search: str, replace: str) -> tuple[str, str] | None:
    found = word_places(text, search) if search.strip() else []
    # `x` is a name of its own in `x = 1`, and only a part of one in `self.x = 1`.
    alone = [start for start in found if not _belongs_to_another(text, start)]
    places = alone or found
    if not places:
        return None
    if len(places) > 1:
        numbers = ", ".join(str(text.count("\n", 0, start) + 1) for start in places[:_SHOWN])
        raise ReplyError(
            f"the text to replace is in {path} {len(places)} times (lines {numbers}), as a part of lines: "
            "search for whole lines, with others around them until they are there once"
        )
    start = places[0]
    end = start + len(search)
    begins = text.rfind("\n", 0, start) + 1
    ends = text.find("\n", end)
    ends = len(text) if ends < 0 else ends
    return text[begins:ends], text[begins:start] + replace + text[end:ends]


def word_places(text: str, search: str) -> list[int]:
    """Where the text stands, and splits no word; none where it stands everywhere."""
    found: list[int] = []
    start = text.find(search)
    for _ in range(_MOST_PLACES):
        if start < 0:
            return found
        if not _splits_a_word(text, start) and not _splits_a_word(text, start + len(search)):
            found.append(start)
        start = text.find(search, start + 1)
    return []


def _splits_a_word(text: str, at: int) -> bool:
    """Or a number, such as `1.5`."""
    return re.fullmatch(r"\w\w|\d\.|\.\d", text[max(at - 1, 0) : at + 1]) is not None


def _belongs_to_another(text: str, at: int) -> bool:
    """Whether the name that begins there is an attribute's."""
    return re.fullmatch(r"\.\w", text[max(at - 1, 0) : at + 1]) is not None
