"""Nested settings: merging, paths with dots, and what differs."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

Settings = dict[str, Any]
_MISSING = object()


def merge(base: Settings, *others: Settings) -> Settings:
    """Settings of which later ones win; dicts are merged, a list behind `key+` is added, and None takes a key out.

    None of the given settings is changed, nor shared with the result.
    """
    result = deepcopy(base)
    for other in others:
        for key, value in other.items():
            if value is None:
                result.pop(key, None)
            elif key.endswith("+") and isinstance(value, list):
                result[key[:-1]] = [*result.get(key[:-1], []), *deepcopy(value)]
            elif isinstance(value, dict) and isinstance(result.get(key), dict):
                result[key] = merge(result[key], value)
            else:
                result[key] = deepcopy(value)
    return result


def get(settings: Settings, path: str, default: Any = None) -> Any:
    """The value at a path such as server.port."""
    value: Any = settings
    for part in path.split("."):
        if not isinstance(value, dict) or part not in value:
            return default
        value = value[part]
    return value


def put(settings: Settings, path: str, value: Any) -> None:
    """Set the value at a path, with dicts on the way; TypeError where something else is in the way."""
    *parents, last = path.split(".")
    place = settings
    for part in parents:
        place = place.setdefault(part, {})
        if not isinstance(place, dict):
            raise TypeError(f"{part} in {path} holds no settings")
    place[last] = value


def flatten(settings: Settings, above: str = "") -> Settings:
    """The values by their paths; an empty dict is a value."""
    flat: Settings = {}
    for key, value in settings.items():
        if isinstance(value, dict) and value:
            flat.update(flatten(value, f"{above}{key}."))
        else:
            flat[above + key] = value
    return flat


def changes(old: Settings, new: Settings) -> list[str]:
    """Lines for what was added (+), taken out (-) and changed (~), by path."""
    before, after = flatten(old), flatten(new)
    lines = []
    for path in sorted(before.keys() | after.keys()):
        one, other = before.get(path, _MISSING), after.get(path, _MISSING)
        if one is _MISSING:
            lines.append(f"+ {path} = {other!r}")
        elif other is _MISSING:
            lines.append(f"- {path} = {one!r}")
        elif one != other:
            lines.append(f"~ {path} = {one!r} -> {other!r}")
    return lines
