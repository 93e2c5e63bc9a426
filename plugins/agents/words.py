"""The words of a text, without those that say nothing.

Of a task or a program they are taken apart so that they can be compared: identifiers in their parts, small letters,
stems. What is searched for among tools and skills stays in whole words: `skills.find` compares them in its own way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_WORD = re.compile(r"[^\W\d_]+(?:'[a-z]+)?")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ENGLISH = frozenset(
    re.findall(
        r"\w+",
        """
        a an and any are as at be been but by can could do does done for from had has have how i if in into is it its
        let make may me must my no not of on one or our out shall should so some such than that the their them then
        there these they this those to up us use used want was we were what when where which who why will with would
        you your
        """,
    )
)
_EVERY_TASK_S = frozenset(
    re.findall(
        r"\w+", "add change code file fix function please self cls def return import class none true false test tests"
    )
)
"""What nearly every task or file of a program holds."""
_EVERY_TOOL_S = frozenset({"tool", "tools"})
_ENDINGS = ("ations", "ation", "ings", "ing", "ies", "ers", "er", "ed", "es", "s")
_SHORTEST_STEM = 4


def words_of(text: str) -> Iterator[str]:
    """The words of the text, stemmed, without those that say nothing about what it is about; in order, repeated."""
    for found in _WORD.finditer(_HUMP.sub(" ", text)):
        word = found[0].lower()
        if len(word) > 1 and not _says_nothing(word) and not _says_nothing(cut := stem(word)):
            yield cut


def telling(words: str) -> tuple[str, ...]:
    """The words of a search for a tool or a skill, in small letters, without those that every description holds; all of
    them when there are no others."""
    found = tuple(re.findall(r"[^\W_]+", words.lower()))
    return tuple(word for word in found if word not in _ENGLISH and word not in _EVERY_TOOL_S) or found


def _says_nothing(word: str) -> bool:
    return word in _ENGLISH or word in _EVERY_TASK_S


def stem(word: str) -> str:
    """The word without its ending, so that `parsing`, `parser` and `parse` are nearly one word: a few endings of
    English are cut off where enough is left."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            word = word[: -len(ending)]
            break
    return word[:-1] if word.endswith("e") and len(word) > _SHORTEST_STEM else word
