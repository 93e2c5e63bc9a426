"""Values as text: the same text for values that no test could tell apart, another one for others."""

from __future__ import annotations

import hashlib
import math
import re
from collections import deque
from typing import Any, Iterable, Sized

MOST_PARTS = 600
"""Values within a value that are looked at; what lies beyond is told as `...`, with how much there is in all."""
LONGEST = 400
"""Characters of a portrait that are kept; of a longer one the beginning, and a digest of all."""
LARGEST = 20_000
"""Characters of the whole portrait of a value from which others are made."""
DRAWN = 40
"""Elements that are taken from an iterator."""
_PLAIN = (bool, int, str, bytes, bytearray, complex, type(None), type(...), range, slice)
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


class TooLarge(Exception):
    """A value has more than `MOST_PARTS` parts, or a portrait of more than `LARGEST` characters."""


def portrait(value: Any) -> str:
    """The value as text, without addresses, sets and dictionaries in an order of their own, floats to nine digits."""
    return shortened(_Painter().paint(value))


def portrait_of_all(value: Any) -> str:
    """The portrait of a value all of which is looked at. Raises `TooLarge`."""
    painter = _Painter()
    text = painter.paint(value)
    if painter.left < 0 or len(text) > LARGEST:
        raise TooLarge
    return shortened(text)


def shortened(text: str) -> str:
    """The text, cut to `LONGEST` characters so that texts which differ still differ; all of it can be written."""
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    if len(text) <= LONGEST:
        return text
    digest = hashlib.sha256(text.encode("utf-8")).hexdigest()[:12]
    return text[:LONGEST] + "... (" + digest + ")"


def without_addresses(text: str) -> str:
    """The text without the addresses by which Python names objects: they are others in each process."""
    return _ADDRESS.sub("", text)


class _Painter:
    def __init__(self) -> None:
        self._around: list[int] = []
        self.left = MOST_PARTS

    def paint(self, value: Any) -> str:
        self.left -= 1
        if self.left < 0:
            return "..."
        kind = type(value)
        if kind is int and value.bit_length() > 2000:
            return hex(value)  # Python refuses to write more than some thousand decimal digits
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
            return "[" + self._inside(value) + "]"
        if kind is tuple:
            return "(" + self._inside(value) + ("," if len(value) == 1 else "") + ")"
        if kind in (set, frozenset):
            inside = "{" + self._sorted(value) + "}" if value else ""
            return inside if kind is set and value else kind.__name__ + "(" + inside + ")"
        if kind is dict:
            return self._pairs(value)
        return self._paint_other(value, kind)

    def _paint_other(self, value: Any, kind: type) -> str:
        name = kind.__name__
        if isinstance(value, type) or (callable(value) and hasattr(value, "__qualname__")):
            return "<" + str(getattr(value, "__qualname__", name)) + ">"
        if isinstance(value, BaseException):
            return name + "(" + self._inside(value.args) + ")"
        if isinstance(value, dict):
            return name + "(" + self._pairs(value) + ")"
        if isinstance(value, (list, tuple, deque, set, frozenset)):
            inside = self._sorted(value) if isinstance(value, (set, frozenset)) else self._inside(value)
            return name + "([" + inside + "])"
        state = _state(value)
        if state:
            return name + "(" + ", ".join(key + "=" + self.paint(state[key]) for key in sorted(state)) + ")"
        if "__repr__" in {name for each in kind.__mro__[:-1] for name in each.__dict__}:
            return without_addresses(repr(value))
        return name + "()"

    def _inside(self, values: Any) -> str:
        return ", ".join(self._each(values)) + self._cut(values)

    def _sorted(self, values: Any) -> str:
        # Which elements are looked at must not hang on the order of a set, which is another one in each process.
        if len(values) > self.left:
            self.left = -1
            return "..." + self._cut(values)
        return ", ".join(sorted(map(self.paint, values)))

    def _pairs(self, value: dict[Any, Any]) -> str:
        pairs = (self.paint(k) + ": " + self.paint(v) for k, v in value.items() if self.left >= 0)
        return "{" + ", ".join(sorted(pairs)) + self._cut(value) + "}"

    def _each(self, values: Iterable[Any]) -> Iterable[str]:
        for value in values:
            yield self.paint(value)
            if self.left < 0:
                return

    def _cut(self, values: Sized) -> str:
        return " of " + str(len(values)) if self.left < 0 else ""


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
