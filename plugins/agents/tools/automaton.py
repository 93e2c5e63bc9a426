"""Searching for a regular expression in time that only grows with the text, whatever the expression.

Python's `re` tries one way after the other, and some expressions have more ways than there is time. Here all ways are
followed at once: Thompson's construction, with the sets of states kept as they come up (R. Cox, "Regular Expression
Matching Can Be Simple And Fast", 2007). What such a search can't do is looking around, referring to groups, and
repeating without giving back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any

_MOST_NODES = 2_000
_MOST_STATES = 1_000
_MOST_STEPS = 5_000_000
"""Nodes visited while new states are made: a few seconds of work."""

_REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT)
_CHARACTERS = (_constants.LITERAL, _constants.NOT_LITERAL, _constants.IN, _constants.ANY, _constants.ANY_ALL)
_BEGINNINGS = (_constants.AT_BEGINNING, _constants.AT_BEGINNING_STRING)
_ENDS = (_constants.AT_END, _constants.AT_END_STRING)
_BOUNDARIES = (_constants.AT_BOUNDARY, _constants.AT_NON_BOUNDARY)
_KEEPS = "it keeps what it has matched (++, *+, ?+ or (?>...)); write it with +, *, ? or (?:...)"
_CANT = {
    _constants.ASSERT: "it looks at what stands before or behind ((?=...) or (?<=...)); write it without",
    _constants.ASSERT_NOT: "it looks at what stands before or behind ((?!...) or (?<!...)); write it without",
    _constants.GROUPREF: "it refers to a group of its own (as \\1); write it without",
    _constants.GROUPREF_EXISTS: "it asks whether a group of its own has matched ((?(1)...)); write it without",
    _constants.POSSESSIVE_REPEAT: _KEEPS,
    _constants.ATOMIC_GROUP: _KEEPS,
}
"""Why an expression with such a part can't be searched for, and what to write instead."""
_MATCH = 0
_YES, _NO = -1, -2


class TooLarge(ValueError):
    """The expression is too large for such a search, or asks for what it can't do."""


@dataclass(frozen=True)
class _Character:
    """Goes on where the character is one of these."""

    one_of: re.Pattern[str]
    then: int


@dataclass(frozen=True)
class _Check:
    """Goes on where the place is such: the beginning, the end, between words."""

    place: object
    then: int


@dataclass
class _Fork:
    """Goes on both ways."""

    then: list[int]


class Automaton:
    """A parsed expression (`re._parser.parse`), to be searched for in lines without line breaks."""

    def __init__(self, tree: Any, flags: re.RegexFlag) -> None:
        self._tree = tree
        self._nodes: list[_Character | _Check | _Fork] = [_Fork([])]
        self._word = re.compile(r"\w", (flags | tree.state.flags) & re.ASCII)
        self._start = self._sequence(tree, _MATCH, int(flags))
        self._steps = 0
        self._forget()

    @property
    def exhausted(self) -> bool:
        """Whether it has become more work than it may be; how much is the same in every run."""
        return self._steps > _MOST_STEPS

    def occurs(self, line: str) -> bool:
        """Whether it matches anywhere in the line."""
        if len(self._states) > _MOST_STATES:
            self._forget()
        state = 0
        for character in (*line, ""):
            following = self._following[state].get(character)
            if following is None:
                if self.exhausted:
                    return False
                following = self._following[state][character] = self._step(state, character)
            if following < 0:
                return following == _YES
            state = following
        return False

    # ------------------------------------------------------------ making it

    def _sequence(self, items: Iterable[Any], then: int, flags: int) -> int:
        for item in reversed(list(items)):
            then = self._item(item, then, flags)
        return then

    def _item(self, item: tuple[Any, Any], then: int, flags: int) -> int:
        kind, value = item
        if kind in _CHARACTERS:
            only = _parser.SubPattern(self._tree.state, [item])
            return self._add(_Character(_compiler.compile(only, flags), then))
        if kind is _constants.AT and value in (*_BEGINNINGS, *_ENDS, *_BOUNDARIES):
            return self._add(_Check(value, then))
        if kind is _constants.BRANCH:
            return self._add(_Fork([self._sequence(branch, then, flags) for branch in value[1]]))
        if kind is _constants.SUBPATTERN:
            _, added, removed, body = value
            return self._sequence(body, then, (flags | added) & ~removed)
        if kind in _REPEATS:
            least, most, body = value
            return self._repeat(least, most, body, then, flags)
        raise TooLarge(_CANT.get(kind, "it holds what such a search can't do; write it more simply"))

    def _repeat(self, least: int, most: Any, body: Any, then: int, flags: int) -> int:
        if most is _constants.MAXREPEAT:
            loop = _Fork([then])
            start = self._add(loop)
            loop.then.append(self._sequence(body, start, flags))
        else:
            start = then
            for _ in range(int(most) - least):
                start = self._add(_Fork([self._sequence(body, start, flags), then]))
        for _ in range(least):
            start = self._sequence(body, start, flags)
        return start

    def _add(self, node: _Character | _Check | _Fork) -> int:
        if len(self._nodes) >= _MOST_NODES:
            raise TooLarge("it repeats too much; write it with smaller numbers")
        self._nodes.append(node)
        return len(self._nodes) - 1

    # ------------------------------------------------------------ running it

    def _forget(self) -> None:
        """Begin anew with the states: a set of nodes, and the character before ("" at the beginning, else one that
        stands for all like it)."""
        self._states: list[tuple[frozenset[int], str]] = [(frozenset(), "")]
        self._numbers = {self._states[0]: 0}
        self._following: list[dict[str, int]] = [{}]

    def _step(self, state: int, character: str) -> int:
        nodes, before = self._states[state]
        reached: set[int] = set()
        waiting = [self._start, *nodes]
        following = set()
        while waiting:
            number = waiting.pop()
            if number in reached:
                continue
            reached.add(number)
            node = self._nodes[number]
            if isinstance(node, _Fork):
                waiting += node.then
            elif isinstance(node, _Check):
                if self._holds(node.place, before, character):
                    waiting.append(node.then)
            elif character and node.one_of.fullmatch(character):
                following.add(node.then)
        self._steps += len(reached)
        if _MATCH in reached:
            return _YES
        if not character:
            return _NO
        return self._number(frozenset(following), "w" if self._word.fullmatch(character) else ".")

    def _holds(self, place: object, before: str, after: str) -> bool:
        if place in _BEGINNINGS:
            return not before
        if place in _ENDS:
            return not after
        between = (before == "w") != bool(after and self._word.fullmatch(after))
        return between == (place is _constants.AT_BOUNDARY)

    def _number(self, nodes: frozenset[int], before: str) -> int:
        state = (nodes, before)
        if state not in self._numbers:
            self._numbers[state] = len(self._states)
            self._states.append(state)
            self._following.append({})
        return self._numbers[state]
