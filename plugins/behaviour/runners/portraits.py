"""Values as text: the same text for values that no test could tell apart, another one for others."""

from __future__ import annotations

import hashlib
import math
from collections import deque
from typing import Any

MOST_PARTS = 600
"""Values within a value that are looked at; what lies beyond is told as `...`."""
LONGEST = 400
"""Characters of a portrait that are kept; of a longer one the beginning, and a digest of all."""
DRAWN = 40
"""Elements that are taken from an iterator."""
_PLAIN = (bool, int, str, bytes, bytearray, complex, type(None), type(...), range, slice)


class TooLarge(Exception):
    """A value has more than `MOST_PARTS` parts."""


def portrait(value: Any) -> str:
    """The value as text, without addresses, sets and dictionaries in an order of their own, floats to nine digits."""
    return shortened(_Painter().paint(value))


def shortened(text: str) -> str:
    """The text, cut to `LONGEST` characters so that texts which differ still differ."""
    if len(text) <= LONGEST:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12]
    return text[:LONGEST] + "... (" + digest + ")"


class _Painter:
    def __init__(self) -> None:
        self._around: list[int] = []
        self._left = MOST_PARTS

    def paint(self, value: Any) -> str:
        self._left -= 1
        if self._left < 0:
            return "..."
        kind = type(value)
        if kind in _PLAIN:
            return repr(value)
        if kind is float:
            return repr(value) if math.isinf(value) or math.isnan(value) else repr(float(format(value, ".9g")))
        if id(value) in self._around:
            return "<itself>"
        self._around.append(id(value))
        try:
            return self._paint_inside(value, kind)
        finally:
            self._around.pop()

    def _paint_inside(self, value: Any, kind: type) -> str:
        if kind is list:
            return "[" + ", ".join(map(self.paint, value)) + "]"
        if kind is tuple:
            return "(" + ", ".join(map(self.paint, value)) + ("," if len(value) == 1 else "") + ")"
        if kind in (set, frozenset):
            inside = "{" + ", ".join(sorted(map(self.paint, value))) + "}" if value else ""
            return inside if kind is set and value else kind.__name__ + "(" + inside + ")"
        if kind is dict:
            return self._pairs(value)
        return self._paint_other(value, kind)

    def _paint_other(self, value: Any, kind: type) -> str:
        name = kind.__name__
        if isinstance(value, type) or (callable(value) and hasattr(value, "__qualname__")):
            return "<" + str(getattr(value, "__qualname__", name)) + ">"
        if isinstance(value, BaseException):
            return name + "(" + ", ".join(map(self.paint, value.args)) + ")"
        if isinstance(value, dict):
            return name + "(" + self._pairs(value) + ")"
        if isinstance(value, (list, tuple, deque, set, frozenset)):
            parts = list(map(self.paint, value))
            return name + "([" + ", ".join(sorted(parts) if isinstance(value, (set, frozenset)) else parts) + "])"
        state = _state(value)
        if state:
            return name + "(" + ", ".join(key + "=" + self.paint(state[key]) for key in sorted(state)) + ")"
        if "__repr__" in {name for each in kind.__mro__[:-1] for name in each.__dict__}:
            return repr(value)
        return name + "()"

    def _pairs(self, value: dict[Any, Any]) -> str:
        return "{" + ", ".join(sorted(self.paint(k) + ": " + self.paint(v) for k, v in value.items())) + "}"


def drawn(value: Any) -> Any:
    """The elements of an iterator, as many as `DRAWN`, as a tuple behind a name; any other value as it is."""
    if not (hasattr(value, "__next__") and hasattr(value, "__iter__")):
        return value
    elements: list[Any] = []
    for element in value:
        elements.append(element)
        if len(elements) == DRAWN:
            break
    return ("elements", *elements)


def _state(value: Any) -> dict[str, Any]:
    found = {}
    for kind in type(value).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if hasattr(value, name):
                found[name] = getattr(value, name)
    found.update(getattr(value, "__dict__", {}))
    return {str(name): each for name, each in found.items() if not str(name).startswith("__")}
