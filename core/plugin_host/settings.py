"""A plugin's settings: what it declares and the person's table `[plugins.NAME]`, held against each other."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from treadle.core.contributions import Command, Contribution, Setting
from treadle.core.errors import ConfigError
from treadle.core.nearest import did_you_mean

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


class WrongSetting(ConfigError):
    """A value that no setting takes: `key` is the dotted name of the one that is wrong."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


def merged(settings: Iterable[Setting], table: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """The defaults with the person's values in their place; `prefix` is the table's dotted name, for messages.

    Raises `WrongSetting` when a key is none of the plugin's, or its value is none that the setting takes."""
    known = {setting.name: setting for setting in settings}
    defaults = {name: setting.default for name, setting in known.items()}
    return _overlaid(defaults, table, prefix, lambda name, value, dotted: taken(known[name], value, dotted))


def taken(setting: Setting, value: Any, dotted: str) -> Any:
    """The value as the setting takes it (a whole number will do for a fraction). Raises `WrongSetting` for one that it
    does not take."""
    found = _typed(setting.default, value, dotted)
    if isinstance(found, float) and not math.isfinite(found):
        raise _wrong(dotted, "a number", value)
    if setting.choices and found not in setting.choices:
        *others, last = map(repr, setting.choices)
        due = f"one of {', '.join(others)} or {last}" if others else last
        raise _wrong(dotted, due, value)
    for bound, is_outside, word in ((setting.least, float.__lt__, "least"), (setting.most, float.__gt__, "most")):
        if bound is not None and is_outside(float(found), bound):
            raise _wrong(dotted, f"at {word} {bound:g}", value)
    return found


def problems(settings: Iterable[Setting], where: str = "treadle_settings") -> Iterator[str]:
    """What is wrong with settings themselves; `where` says whose they are."""
    seen: set[str] = set()
    for setting in settings:
        named = f"{where}: {setting.name!r}"
        if not _NAME.fullmatch(setting.name):
            yield f"{named} can't be the name of a setting: take letters, digits, `-` and `_`, a letter first"
        if setting.name in seen:
            yield f"{named} is there twice; give each setting a name of its own"
        seen.add(setting.name)
        if not _is_plain(setting.default):
            yield f"{named}: its default is no plain value: text, a number, true or false, a list or a table of those"
            continue
        is_number = isinstance(setting.default, int | float) and not isinstance(setting.default, bool)
        if not is_number and (setting.least is not None or setting.most is not None):
            yield f"{named} has bounds, and its default is no number"
            continue
        try:
            taken(setting, setting.default, "its default")
        except ConfigError as error:
            yield f"{named}: {error}"


def option_problems(brought: Iterable[Contribution]) -> Iterator[str]:
    """What is wrong with the options of commands."""
    for each in brought:
        if isinstance(each, Command):
            where = f"treadle_contributions: the command {each.name!r}"
            yield from problems(each.options, where)
            tables = (option for option in each.options if isinstance(option.default, Mapping))
            yield from (f"{where}: {option.name!r}: an option can't be a table" for option in tables)


def _is_plain(value: object) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_is_plain, value))
    if isinstance(value, Mapping):
        return all(isinstance(name, str) and _is_plain(each) for name, each in value.items())
    return value is None or (isinstance(value, bool | int | float | str) and value == value)  # nan is not itself


def _typed(default: Any, value: Any, dotted: str) -> Any:
    if default is None:
        return value
    if isinstance(default, Mapping):
        if not isinstance(value, Mapping):
            raise _wrong(dotted, "a table", value)
        if not default:
            return dict(value)
        return _overlaid(default, value, dotted, lambda name, each, place: _typed(default[name], each, place))
    if isinstance(default, list | tuple):
        if not isinstance(value, list | tuple):
            raise _wrong(dotted, "a list", value)
        return [_typed(default[0], each, f"{dotted}[{i}]") for i, each in enumerate(value)] if default else list(value)
    if isinstance(default, float) and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is not type(default):
        raise _wrong(dotted, _KINDS.get(type(default), f"a {type(default).__name__}"), value)
    return value


def _overlaid(
    defaults: Mapping[str, Any], table: Mapping[str, Any], prefix: str, take: Callable[[str, Any, str], Any]
) -> dict[str, Any]:
    """The defaults with what `take` makes of a name, its value in the table and its dotted name, in their place."""
    result = dict(defaults)
    for name, value in table.items():
        dotted = f"{prefix}.{name}"
        if name not in defaults:
            raise _unknown(name, defaults, dotted)
        result[name] = take(name, value, dotted)
    return result


_KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a string"}


def _unknown(name: str, known: Mapping[str, Any], dotted: str) -> WrongSetting:
    listed = f"it has {', '.join(known)}" if known else "the plugin has no settings"
    return WrongSetting(dotted, f"unknown key {dotted!r}; {did_you_mean(name, known)}{listed}")


def _wrong(dotted: str, due: str, value: object) -> WrongSetting:
    return WrongSetting(dotted.partition("[")[0], f"{dotted} must be {due}, not {value!r}")
