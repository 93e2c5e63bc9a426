"""What a text that is no Python loses: headings, keys and the like, and lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from treadle.core.said import Said
from treadle.core.tree.landmarks import landmarks

_FEW_LINES = 3
"""A text with fewer tells nothing."""
_SOME_LINES = 10
"""Of a text that is no shorter all lines may change on purpose, where they are few."""
_MOST_LOST = 0.9
_SHORTER, _MOST_LOST_OF_SHORTER = 0.8, 0.2
_LETTER = re.compile(r"\w")
_WORD = re.compile(r"\w+")
_FIRST_WORDS = 5
"""Of a name that has more these are looked for."""


class Now:
    """All that changed files hold now. Each is gone through once, however much is looked for."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._runs: dict[int, set[tuple[str, ...]]] = {}

    @cached_property
    def lines(self) -> set[str]:
        """Their lines that say something."""
        return {line for text in self._texts for line in _lines(text)}

    def speaks_of(self, name: str) -> bool:
        """Whether the words of a name stand behind each other in one of them."""
        words = tuple(_WORD.findall(name)[:_FIRST_WORDS])
        size = len(words)
        if size not in self._runs:
            self._runs[size] = {
                run for each in self._words for run in zip(*(each[n:] for n in range(size)), strict=False)
            }
        return words in self._runs[size]

    @cached_property
    def _words(self) -> list[list[str]]:
        return [_WORD.findall(text) for text in self._texts]


def lost_of_text(path: str, old: str, new: str, now: Now, said: Said) -> list[str]:
    """The `landmarks` that no changed file speaks of, where there are such; else how many lines are gone, where hardly
    any stays, or where the text has become shorter by more than a few."""
    was = landmarks(path, old)
    lost = {name for name in was - landmarks(path, new) if not now.speaks_of(name)}
    if lost:
        may_go = said.may_go(path, was)
        return sorted(name for name in lost if not (said.words(name) or may_go(name)))
    lines = _lines(old)
    gone = len(lines - now.lines)
    is_shorter = len(_lines(new)) < _SHORTER * len(lines)
    most = (_MOST_LOST_OF_SHORTER if is_shorter else _MOST_LOST) * len(lines)
    least = _FEW_LINES if is_shorter else _SOME_LINES
    return [f"{gone} of its {len(lines)} lines"] if gone >= least and gone > most else []


def _lines(text: str) -> set[str]:
    """Those that say something."""
    return {line.strip() for line in text.splitlines() if _LETTER.search(line)}
