"""Whether a value fits a JSON Schema, by the keywords that describe the arguments of tools; others say nothing here.

https://json-schema.org/draft/2020-12/json-schema-validation
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

_IS: Mapping[str, Callable[[object], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
}


def misfit(value: object, schema: object, place: str = "$") -> str:
    """What is wrong with the value, "" when it fits. `place` is where it stands."""
    if not isinstance(schema, dict):
        return ""
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if isinstance(kinds, list) and kinds and not any(kind not in _IS or _IS[kind](value) for kind in map(str, kinds)):
        return f"{place} must be {' or '.join(map(str, kinds))}"
    allowed = schema.get("enum")
    if isinstance(allowed, list) and not any(type(each) is type(value) and each == value for each in allowed):
        return f"{place} must be one of {', '.join(map(repr, allowed))}"
    if isinstance(value, dict):
        return _object_misfit(value, schema, place)
    if isinstance(value, list):
        return next(
            (wrong for n, each in enumerate(value) if (wrong := misfit(each, schema.get("items"), f"{place}[{n}]"))), ""
        )
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _number_misfit(value, schema, place)
    return ""


def _object_misfit(value: dict[str, object], schema: dict[str, Any], place: str) -> str:
    properties = schema.get("properties")
    properties = properties if isinstance(properties, dict) else {}
    required = schema.get("required")
    for name in required if isinstance(required, list) else ():
        if name not in value:
            return f"{place} lacks {name!r}"
    for name, each in value.items():
        if name in properties:
            if wrong := misfit(each, properties[name], f"{place}.{name}"):
                return wrong
        elif schema.get("additionalProperties") is False or (properties and "additionalProperties" not in schema):
            return f"{place} holds {name!r}, which is not known"
    return ""


def _number_misfit(value: float, schema: dict[str, Any], place: str) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    if isinstance(least, int | float) and value < least:
        return f"{place} must be at least {least}"
    if isinstance(most, int | float) and value > most:
        return f"{place} must be at most {most}"
    return ""
