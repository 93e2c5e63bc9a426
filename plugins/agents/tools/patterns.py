"""What a model looks for in lines: plain text, or a regular expression, however badly it is made."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

from treadle.plugins.agents.tools.automaton import Automaton, TooLarge
from treadle.plugins.agents.tools.tool import ToolError

LONGEST_LINE = 2_000
"""Characters of a line that are looked at."""
_LONGEST_PATTERN = 500
_SINGLE = (_constants.LITERAL, _constants.NOT_LITERAL, _constants.IN, _constants.ANY, _constants.AT)
_ANCHORS = ((_constants.AT, _constants.AT_BEGINNING), (_constants.AT, _constants.AT_BEGINNING_STRING))
_FEW = 16
"""Repetitions that don't count as a run."""
_REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT)


class Pattern:
    """What is looked for. `cut` tells that a line was too long to be looked at whole. Raises `ToolError` for what is no
    regular expression, or none that can be searched for."""

    def __init__(self, text: str, *, plain: bool = False, ignore_case: bool = False) -> None:
        self.cut = False
        self._automaton: Automaton | None = None
        if len(text) > _LONGEST_PATTERN:
            raise ToolError(f"the pattern has {len(text)} characters; at most {_LONGEST_PATTERN} are searched for")
        if "\n" in text:
            raise ToolError("the pattern holds a line break: search for a part of one line")
        flags = re.IGNORECASE if ignore_case else re.NOFLAG
        self._occurs: Callable[[str], object] = re.compile(re.escape(text), flags).search
        if not plain:
            self._take_expression(text, flags)

    @property
    def exhausted(self) -> bool:
        """Whether the search has become more work than it may be."""
        return self._automaton is not None and self._automaton.exhausted

    def occurs(self, line: str) -> bool:
        """Whether it is in the line's beginning, up to `LONGEST_LINE`."""
        if len(line) > LONGEST_LINE:
            self.cut = True
            line = line[:LONGEST_LINE]
        return bool(self._occurs(line))

    def _take_expression(self, text: str, flags: re.RegexFlag) -> None:
        try:
            with warnings.catch_warnings():
                # What Python may one day read otherwise is for nobody to be told here.
                warnings.simplefilter("ignore")
                self._occurs = re.compile(text, flags).search
                tree = _parser.parse(text, flags)
            if not is_straight(tree):
                self._automaton = Automaton(tree, flags)
                self._occurs = self._automaton.occurs
        except TooLarge as error:
            raise ToolError(f"the pattern {text!r} can't be searched for: {error}") from None
        except (re.error, OverflowError, RecursionError) as error:
            raise ToolError(f"{text!r} is no regular expression: {error}; for plain text set plain to true") from None


def is_straight(tree: Any) -> bool:
    """Whether Python's own matcher, which tries one way after the other from every place, looks at no character of a
    line more than a few times: at most one part is repeated, and after a long run of it nothing can fail, or there is
    only one place to begin."""
    if not all(kind in _SINGLE or kind in _REPEATS for kind, _ in tree):
        return False
    places = [place for place, (kind, _) in enumerate(tree) if kind in _REPEATS]
    if not places:
        return True
    least, most, body = tree[places[0]][1]
    if len(places) > 1 or len(body) != 1 or body[0][0] not in _SINGLE:
        return False
    anchored = tree[0] in _ANCHORS
    ends = places[0] == len(tree) - 1 and least <= _FEW
    return anchored or ends or (most is not _constants.MAXREPEAT and most <= _FEW)
