"""Values that an annotation says a function takes, whether or not a test has given it one like them."""

from __future__ import annotations

import collections.abc
import enum
import typing
from typing import Any, Callable

_OF_PLAIN_TYPES: dict[Any, list[Any]] = {
    None: [None],
    type(None): [None],
    bool: [True, False],
    int: [0, 1, -1, 7],
    float: [0.0, 1.5, -1.0],
    str: ["", "a", "Ab 1"],
    bytes: [b"", b"a"],
}
_CONTAINERS = (list, tuple, set, frozenset)
_READ_AS_LISTS = (
    collections.abc.Sequence,
    collections.abc.MutableSequence,
    collections.abc.Iterable,
    collections.abc.Collection,
)
_READ_AS_DICTS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)


def declared(function: Callable[..., Any] | None) -> dict[str, list[Any]]:
    """Some values of each parameter's declared type, for those types that plain values are of; none for a function
    whose annotations can't be read."""
    try:
        hints = typing.get_type_hints(function) if function is not None else {}
        found = {name: values_of(hint) for name, hint in hints.items() if name != "return"}
    except Exception:  # noqa: BLE001 - annotations are the project's own expressions, and may be anything
        return {}
    return {name: values for name, values in found.items() if values}


def values_of(hint: Any, depth: int = 2) -> list[Any]:
    """Some values of a type, the simplest first; none where that is not known."""
    try:
        if hint in _OF_PLAIN_TYPES:
            return list(_OF_PLAIN_TYPES[hint])
    except TypeError:
        return []
    origin, arguments = typing.get_origin(hint) or hint, typing.get_args(hint)
    if origin is typing.Union or type(hint).__name__ == "UnionType":
        return [value for each in reversed(arguments) for value in values_of(each, depth)]
    if origin is typing.Literal:
        return list(arguments)
    if isinstance(origin, type) and issubclass(origin, enum.Enum):
        return list(origin)[:4]
    return _containers(origin, arguments, depth) if depth else []


def _containers(origin: Any, arguments: tuple[Any, ...], depth: int) -> list[Any]:
    if origin in _READ_AS_DICTS and len(arguments) == 2:
        keys, values = (values_of(each, depth - 1) for each in arguments)
        return [{}, dict(zip(keys[:1], values)), dict(zip(keys, values))]
    kind = list if origin in _READ_AS_LISTS else origin
    if kind not in _CONTAINERS or not arguments:
        return []
    if kind is tuple and arguments[-1] is not Ellipsis:
        parts = [values_of(each, depth - 1) for each in arguments]
        return [tuple(part[0] for part in parts), tuple(part[-1] for part in parts)] if all(parts) else []
    elements = values_of(arguments[0], depth - 1)
    return [kind(), kind(elements[:1]), kind(elements)]
