"""Where two versions of a project behave otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from treadle.plugins.behaviour.jobs import Behaviour, Call

_SETTLED = ("returns", "raises", "endless")
_WHOLE = re.compile(r"(?<=\d)\.0(?!\d)")
"""What a whole number has as a float, and a test that compares with `==` does not see."""
_BY_ACCIDENT = ("TypeError", "AttributeError", "NameError", "UnboundLocalError")
"""Exceptions that come of arguments for which the function was not made, rather than of what it means to do."""


@dataclass(frozen=True)
class Difference:
    """One call, and what comes of it in one version and in another. `function` is `FILE::NAME`."""

    function: str
    module: str
    one: Call
    other: Call

    @property
    def both_return(self) -> bool:
        """Whether the call comes to a value in both versions."""
        return self.one.how == self.other.how == "returns"


def compared(one: Behaviour, other: Behaviour) -> tuple[int, tuple[Difference, ...]]:
    """How many calls came to an end in both versions, and those with different ends, those first by which a person can
    decide best: both return, plain values, short."""
    count = 0
    found = []
    for key, function in one.functions.items():
        if key not in other.functions:
            continue
        by_call = {call.call: call for call in other.functions[key].calls}
        for call in function.calls:
            counterpart = by_call.get(call.call)
            if counterpart is None or not _settled(call, counterpart):
                continue
            count += 1
            if _end(call) != _end(counterpart) and not _both_accidents(call, counterpart):
                found.append(Difference(key, function.module, call, counterpart))
    return count, tuple(sorted(found, key=_plainness))


def steady(one: Behaviour, again: Behaviour) -> Behaviour:
    """The calls that came to the same end when they were made again: no time, chance or order of a set is in them."""
    functions = {}
    for key, function in one.functions.items():
        ends = {c.call: _end(c) for c in again.functions[key].calls} if key in again.functions else {}
        calls = tuple(call for call in function.calls if ends.get(call.call) == _end(call))
        functions[key] = msgspec.structs.replace(function, calls=calls)
    return Behaviour(functions=functions)


def _settled(one: Call, other: Call) -> bool:
    """Whether both came to an end that can be compared: where one was long, it hangs on a few steps only whether the
    other one was too long."""
    if one.how not in _SETTLED or other.how not in _SETTLED:
        return False
    ended = [each for each in (one, other) if each.how != "endless"]
    return len(ended) != 1 or not ended[0].long


def _end(call: Call) -> tuple[str, ...]:
    return call.how, _WHOLE.sub("", call.what), _WHOLE.sub("", call.after), call.prints


def _both_accidents(one: Call, other: Call) -> bool:
    return all(call.how == "raises" and call.what in _BY_ACCIDENT for call in (one, other))


def _plainness(difference: Difference) -> tuple[bool, bool, int, str]:
    call = difference.one
    return not difference.both_return, not call.as_text, len(call.call), call.call


def worded(call: Call) -> Iterator[str]:
    """What came of a call, in words."""
    if call.how == "raises":
        yield f"raises {call.what}"
    elif call.how == "endless":
        yield "does not end"
    else:
        yield f"gives {call.what}"
    if call.prints:
        yield f"prints {call.prints!r}"
    if call.after:
        yield f"leaves its arguments as {call.after}"
