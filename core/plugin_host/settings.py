"""A plugin's settings: its defaults and the person's table `[plugins.NAME]`, checked by the defaults' types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treadle.core.errors import ConfigError
from treadle.core.nearest import did_you_mean


def merged(defaults: Mapping[str, Any], table: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """The defaults with the person's values in their place; `prefix` is the table's dotted name, for messages.

    Raises `ConfigError` naming the key when it is none of the plugin's, or its value is not of the default's type. A
    default of None takes any value, an empty table any names; a whole number will do for a fraction."""
    result = dict(defaults)
    for name, value in table.items():
        dotted = f"{prefix}.{name}"
        if name not in defaults:
            near = did_you_mean(name, defaults)
            known = f"it has {', '.join(defaults)}" if defaults else "the plugin has no settings"
            raise ConfigError(f"unknown key {dotted!r}; {near}{known}")
        result[name] = _typed(defaults[name], value, dotted)
    return result


def _typed(default: Any, value: Any, dotted: str) -> Any:
    if default is None:
        return value
    if isinstance(default, Mapping):
        if not isinstance(value, Mapping):
            raise _wrong(dotted, "a table", value)
        return merged(default, value, dotted) if default else dict(value)
    if isinstance(default, list | tuple):
        if not isinstance(value, list | tuple):
            raise _wrong(dotted, "a list", value)
        return [_typed(default[0], each, f"{dotted}[{i}]") for i, each in enumerate(value)] if default else list(value)
    if isinstance(default, float) and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is not type(default):
        raise _wrong(dotted, _KINDS.get(type(default), f"a {type(default).__name__}"), value)
    return value


_KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a string"}


def _wrong(dotted: str, due: str, value: object) -> ConfigError:
    return ConfigError(f"{dotted} must be {due}, not {value!r}")
