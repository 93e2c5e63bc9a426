"""Values as one reads them in a trace: as much of each as there is room for, with the size of what is left out.

Secrets are taken out before anything is cut: half of one would not be known for what it is.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import msgspec

from treadle.core.counting import counted
from treadle.core.redaction import Redactor, inner_name
from treadle.tui.safe_text import clean, clean_line

_JSON_TEXT, _JSON_ITEMS = 400, 40
_WINDOW = 4096  # characters behind a cut in which the end of a secret is looked for
_SLACK = 512  # of those, what must be left when secrets were taken out
_MARK = 10  # about what it takes to say that something is cut: so much more is shown instead
_DEEPEST = 30


class _Detail(msgspec.Struct, frozen=True):
    """How much is shown: of what lies in how many others, how many of each, and how much of each text."""

    depth: int
    items: int
    chars: int
    defaults: bool = False


_WHOLE = _Detail(_DEEPEST, 1 << 60, 1 << 60, defaults=True)
_LESS = tuple(
    _Detail(*numbers)
    for numbers in (
        (6, 8, 60),
        (4, 4, 40),
        (3, 3, 24),
        (2, 3, 16),
        (2, 2, 12),
        (2, 1, 12),
        (1, 2, 12),
        (1, 1, 8),
        (0, 0, 8),
    )
)


class Values:
    """Shows values without the secrets that its redactor knows."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor

    def text(self, text: str) -> str:
        """Any text without secrets, and without what a terminal would obey; its lines stay."""
        return clean(self._redactor.text(text))

    def line(self, value: object, room: int | None, name: str = "") -> str:
        """The value in one line of at most so many characters (None: whole); `name` is what it stands under."""
        return self._fitting(room, lambda detail: self._show(value, detail, name))

    def arguments(self, given: Mapping[str, object], room: int | None) -> str:
        """Named values in one line, all with the same detail."""
        return self._fitting(
            room, lambda detail: ", ".join(f"{name}={self._show(value, detail, name)}" for name, value in given.items())
        )

    def whole(self, value: object, width: int, name: str = "", depth: int = _DEEPEST) -> Iterator[str]:
        """All of the value, in lines of about that width."""
        one = self._show(value, msgspec.structs.replace(_WHOLE, depth=depth), name)
        if len(one) <= width or depth < 1:
            yield one
        elif isinstance(value, msgspec.Struct):
            yield f"{type(value).__name__}("
            for field, each in _fields(value, defaults=True):
                yield from self._inside(each, width, f"{field}=", inner_name(name, field), depth)
            yield ")"
        elif isinstance(value, Mapping):
            yield "{"
            for key, each in value.items():
                yield from self._inside(each, width, f"{self._key(key)}: ", inner_name(name, str(key)), depth)
            yield "}"
        elif isinstance(value, list | tuple | set | frozenset):
            opens, closes = _brackets(value)
            yield opens
            for each in value:
                yield from self._inside(each, width, "", name, depth)
            yield closes
        elif isinstance(value, str | bytes):
            text = str(self._redactor.value(value, name))
            mark = "b" if isinstance(value, bytes) else ""
            for line in text.splitlines(keepends=True):
                yield from (f"{mark}{line[place : place + width]!r}" for place in range(0, len(line), width))
        else:
            yield one

    def data(self, value: object, *, full: bool, name: str = "", depth: int = _DEEPEST) -> object:
        """The value as plain data for a program, its long texts and lists cut unless it is to be `full`."""

        def inner(each: object, under: str) -> object:
            return self.data(each, full=full, name=under, depth=depth - 1)

        if isinstance(value, str | bytes):
            return self._redactor.value(value, name) if full else "".join(self._cut(value, _JSON_TEXT, name))
        if value is None or isinstance(value, int | float):
            return self._redactor.value(value, name)
        if depth < 1:
            return _by_type(value)
        if isinstance(value, msgspec.Struct):
            return {field: inner(each, inner_name(name, field)) for field, each in _fields(value, defaults=True)}
        if isinstance(value, Mapping):
            return {
                self._redactor.text(str(key)): inner(each, inner_name(name, str(key))) for key, each in value.items()
            }
        if isinstance(value, list | tuple | set | frozenset):
            kept = [inner(each, name) for each in itertools.islice(value, None if full else _JSON_ITEMS)]
            return kept if len(kept) == len(value) else [*kept, f"<{len(value) - len(kept)} more>"]
        return _by_type(value)

    # ------------------------------------------------------------ one value in one line

    def _fitting(self, room: int | None, show: Callable[[_Detail], str]) -> str:
        if room is None:
            return show(_WHOLE)
        shown = ""
        for detail in (_Detail(room, room, room), *_LESS):
            shown = show(detail)
            if len(shown) <= room:
                return shown
        return shown[: max(0, room - 1)] + "…"

    def _show(self, value: object, detail: _Detail, name: str) -> str:
        inner = msgspec.structs.replace(detail, depth=detail.depth - 1)
        if isinstance(value, msgspec.Struct):
            if detail.depth < 1:
                return f"<{type(value).__name__}>"
            fields = list(_fields(value, defaults=detail.defaults))
            shown = [f"{field}={self._show(each, inner, inner_name(name, field))}" for field, each in fields]
            return f"{type(value).__name__}({', '.join(_first(shown, detail.items))})"
        if isinstance(value, Mapping):
            if detail.depth < 1 and value:
                return f"<{counted(len(value), 'entry', 'entries')}>"
            first = itertools.islice(value.items(), detail.items + 1)
            shown = [f"{self._key(key)}: {self._show(each, inner, inner_name(name, str(key)))}" for key, each in first]
            return "{" + ", ".join(_first(shown, detail.items, len(value))) + "}"
        if isinstance(value, list | tuple | set | frozenset):
            if value and (detail.depth < 1 or (detail.depth < 2 and _are_records(value))):
                return f"<{_number_of(value)}>"
            shown = [self._show(each, inner, name) for each in itertools.islice(value, detail.items + 1)]
            opens, closes = _brackets(value)
            comma = "," if len(value) == 1 and isinstance(value, tuple) else ""
            return opens + ", ".join(_first(shown, detail.items, len(value))) + comma + closes
        if isinstance(value, str | bytes):
            text, size = self._cut(value, detail.chars, name)
            return f"{'b' if isinstance(value, bytes) else ''}{text!r}{size}"
        if value is None or isinstance(value, int | float):
            return clean_line(str(self._redactor.value(value, name)))
        return _by_type(value)

    def _inside(self, value: object, width: int, label: str, name: str, depth: int) -> Iterator[str]:
        lines = list(self.whole(value, max(20, width - 4), name, depth - 1))
        lines[0] = label + lines[0]
        lines[-1] += ","
        yield from (f"    {line}" for line in lines)

    def _key(self, key: object) -> str:
        return repr(self._redactor.text(str(key)))

    def _cut(self, value: str | bytes, chars: int, name: str) -> tuple[str, str]:
        """The beginning of a text, and how large it is when that is not all of it."""
        window = value[: chars + _WINDOW + self._redactor.longest]
        text = str(self._redactor.value(window, name))
        is_all = len(window) == len(value)
        if not is_all and len(text) < chars + _SLACK + self._redactor.longest:
            # So much was secret that what is shown would reach to the end of the window, where half of one may stand.
            text, is_all = str(self._redactor.value(value, name)), True
        if is_all and len(text) <= chars + _MARK:
            return text, ""
        length = len(value) if isinstance(value, bytes) else len(value.encode(errors="replace"))
        return text[:chars] + "…", f" <{_size(length)}>"


def _fields(value: msgspec.Struct, *, defaults: bool) -> Iterator[tuple[str, Any]]:
    for field in _fields_of(type(value)):
        each = getattr(value, field.name, None)
        default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
        if defaults or not _is(each, default):
            yield field.name, each


def _is(value: object, default: object) -> bool:
    # Not the comparison of whatever a plugin gave, which is its own code.
    if type(value) is not type(default):
        return False
    return value == default if isinstance(value, str | bytes | int | float | None) else not value and not default


@functools.cache
def _fields_of(kind: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(kind)


def _first(shown: list[str], most: int, count: int = 0) -> list[str]:
    if len(shown) <= most:
        return shown
    return [*shown[:most], f"… {count - most} more" if count else "…"]


def _brackets(value: object) -> tuple[str, str]:
    return ("(", ")") if isinstance(value, tuple) else ("[", "]") if isinstance(value, list) else ("{", "}")


def _are_records(value: Collection[Any]) -> bool:
    return all(isinstance(each, msgspec.Struct) for each in value)


def _number_of(value: Collection[Any]) -> str:
    kinds = {type(each).__name__ for each in value}
    noun = kinds.pop() if len(kinds) == 1 and _are_records(value) else "value"
    return counted(len(value), noun)


def _by_type(value: object) -> str:
    # Not its `repr`, which is the plugin's own code.
    return f"<{clean_line(type(value).__name__)}>"


def _size(count: int) -> str:
    return f"{count} B" if count < 1000 else f"{count / 1000:.1f} kB" if count < 1_000_000 else f"{count / 1e6:.1f} MB"
