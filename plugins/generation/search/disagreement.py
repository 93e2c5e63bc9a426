"""The calls by which repairs can be told apart that all tests pass with, and each answer as a test."""

from __future__ import annotations

import ast
import builtins
import re
from dataclasses import dataclass

from treadle.core.records import Disagreement
from treadle.plugins.behaviour.comparison import Difference, worded
from treadle.plugins.behaviour.jobs import Call
from treadle.plugins.generation.search.search import Variant

MOST = 3
"""Calls that a person is asked about at most."""
_HOLDS_FLOAT = re.compile(r"\d(?:\.\d|e[-+]?\d)")
_FLOAT = re.compile(r"-?\d+(?:\.\d+(?:e[-+]?\d+)?|e[-+]?\d+)")
_ELEMENTS = "('elements', "


@dataclass(frozen=True)
class Rival:
    """Another repair, and the calls of which it comes to another end than the first one."""

    variant: Variant
    differences: tuple[Difference, ...]


def disagreements(rivals: list[Rival]) -> tuple[Disagreement, ...]:
    """As few calls as tell each rival from the repair, the plainest first."""
    by_call: dict[str, dict[int, Difference]] = {}
    for number, rival in enumerate(rivals):
        for difference in rival.differences:
            by_call.setdefault(difference.one.call, {})[number] = difference
    told: set[int] = set()
    found: list[Disagreement] = []
    for number, rival in enumerate(rivals):
        if number not in told and len(found) < MOST:
            chosen = rival.differences[0]
            differing = by_call[chosen.one.call]
            told |= set(differing)
            calls = [differing[n].other if n in differing else chosen.one for n in range(len(rivals))]
            found.append(_disagreement(chosen, [chosen.one, *calls]))
    return tuple(found)


def _disagreement(difference: Difference, ends: list[Call]) -> Disagreement:
    return Disagreement(
        call=difference.one.call,
        answers=tuple(", ".join(worded(end)) for end in ends),
        tests=tuple(_test(difference, end) for end in ends),
    )


def _test(difference: Difference, end: Call) -> str:
    """A test file that holds the call and this end of it; empty where that can't be written in plain values."""
    arguments = difference.one.as_text
    name = difference.function.partition("::")[2]
    if not arguments or end.after or end.prints or not difference.module.replace(".", "a").isidentifier():
        return ""
    head = f"from {difference.module} import {name}\n\n\ndef test_{name}_of_an_example():\n"
    if end.how == "returns" and _is_float(end.what):
        return f"import pytest\n\n{head}    assert {name}{arguments} == pytest.approx({end.what})\n"
    if end.how == "returns" and _is_plain(end.what):
        same = "is" if end.what in ("True", "False", "None") else "=="
        return f"{head}    assert {name}{arguments} {same} {end.what}\n"
    if end.how == "raises" and isinstance(getattr(builtins, end.what, None), type):
        return f"import pytest\n\n{head}    with pytest.raises({end.what}):\n        {name}{arguments}\n"
    return ""


def _is_float(text: str) -> bool:
    return _FLOAT.fullmatch(text) is not None


def _is_plain(text: str) -> bool:
    """Whether the text stands for exactly the value that it was made of: floats are told to some digits only."""
    if text.startswith(_ELEMENTS) or _HOLDS_FLOAT.search(text):
        return False
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False
    return True
