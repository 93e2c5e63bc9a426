"""Types as a plugin's author is told them: `tuple[Hit, ...]` is "a tuple of Hit"."""

from __future__ import annotations

import types
import typing
from typing import Any

import msgspec

_MOST_FIELDS = 6


def mismatch(kind: Any, came: object, error: msgspec.ValidationError) -> str:
    """What was due, what came in its place, and where in it the trouble is, when it is deeper."""
    told = f"due is {due(kind)}, and {given(came)} came"
    detail = str(error)
    # Of the whole value msgspec says the same once more, in words of JSON.
    return told if detail.startswith("Expected `") and " - at `" not in detail else f"{told}: {detail}"


def due(kind: Any) -> str:
    """A type with its article, or its articles: `A | B` is "an A or a B"."""
    return _any_of([_with_article(_name(each)) for each in _members(kind)])


def given(value: object) -> str:
    """The type of a value with its article, with the fields of a table and the types of a list's items."""
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        fields = [str(key) for key in value]
        more = ["..."] if len(fields) > _MOST_FIELDS else []
        return f"a dict with {', '.join(fields[:_MOST_FIELDS] + more)}" if fields else "an empty dict"
    if isinstance(value, list | tuple):
        items = sorted({type(item).__name__ for item in value})
        name = type(value).__name__
        return f"{_with_article(name)} of {' and '.join(items)}" if items else f"an empty {name}"
    return _with_article(type(value).__name__)


def _name(kind: Any) -> str:
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (tuple, list):
        items = [each for each in inner if each is not Ellipsis]
        return f"{origin.__name__} of {' and '.join(_any_of([_name(m) for m in _members(each)]) for each in items)}"
    if kind in (Any, object):
        return "value"
    return str(getattr(origin or kind, "__name__", kind))


def _members(kind: Any) -> tuple[Any, ...]:
    return typing.get_args(kind) if typing.get_origin(kind) in (typing.Union, types.UnionType) else (kind,)


def _any_of(names: list[str]) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _with_article(name: str) -> str:
    if name in ("NoneType", "bytes"):
        return name.removesuffix("Type")
    return f"an {name}" if name[0] in "AEIOUaeiou" else f"a {name}"
