"""One value in a settings file that a person wrote: set without touching what else is there, comments included.

The file is not written anew from what it means. The few places where the value could stand are tried, and the first
counts that reads back as the same document with that one value changed. Where there is none, nothing is written.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import tomli_w

from treadle.core.config import layers, own_file, toml_files
from treadle.core.config.settings import plugin_name
from treadle.core.errors import ConfigError

_BOM = "\ufeff"
_BARE = re.compile(r"[A-Za-z0-9_-]+")

Keys = tuple[str, ...]
"""The way to a value: the names of the tables that it is in, and its own."""


def write_plugin_setting(file: Path, plugin: str, setting: str, value: object) -> None:
    """Set it in the table `[plugins.NAME]` of the person's own settings file, which is made where there is none. Raises
    `ConfigError` where the value is none that the file takes, or can't be placed there: it says what to write by
    hand."""

    def place(document: Mapping[str, Any]) -> tuple[Keys, bool]:
        tables = document.get("plugins", {})
        spellings = [name for name in tables if plugin_name(name) == plugin] if isinstance(tables, dict) else []
        return ("plugins", spellings[-1] if spellings else plugin, setting), len(spellings) < 2

    _write(file, place, value)


def write_setting(file: Path, key: str, value: object) -> None:
    """Set the setting with that dotted key in the person's own settings file. Raises as `write_plugin_setting` does."""
    _write(file, lambda document: (tuple(key.split(".")), True), value)


def _write(file: Path, place: Callable[[Mapping[str, Any]], tuple[Keys, bool]], value: object) -> None:
    """`place` says of the document where the value is to stand, and whether there is but one such place."""

    def altered() -> bytes:
        data = toml_files.read_bytes(file) or b""
        keys, is_one = place(toml_files.parse(data, file))
        text = data.decode("utf-8")
        changed = with_value(text.removeprefix(_BOM), keys, value) if is_one else None
        if changed is None:
            where = f"in the table [{_dotted(keys[:-1])}]" if keys[:-1] else "above all tables"
            raise ConfigError(
                f"{file}: can't be changed in this one place alone, so it is as it was. Write it there yourself: "
                f"{_assignment(keys[-1], value)}, {where}"
            )
        new = (text[: text.startswith(_BOM)] + changed).encode("utf-8")
        layers.check_user_file(toml_files.parse(new, file), file)
        return toml_files.of_readable_size(new, file)

    own_file.rewrite(file, altered, is_text=True)


def with_value(text: str, keys: Keys, value: object) -> str | None:
    """A TOML document with that value in that place; None where it can't be put there without touching anything else,
    or where this is no document. Raises `ConfigError` for a value that TOML does not know."""
    before = _read(text)
    wanted = _set(before, keys, value) if before is not None else None
    if before is None or wanted is None:
        return None
    if _same(before, wanted):
        return text
    ends = "\r\n" if 0 < text.count("\n") == text.count("\r\n") else "\n"
    attempts = (each.replace("\n", ends) for each in _attempts(text.replace(ends, "\n"), keys, value))
    return next((changed for changed in attempts if _reads_as(changed, wanted)), None)


def _attempts(text: str, keys: Keys, value: object) -> Iterator[str]:
    """The document with the value in its old place, at the end of its table, or in a new table at the end; above all
    tables where it is in none."""
    lines = text.split("\n")
    table: Keys | None = ()
    headers = []
    for number, line in enumerate(lines):
        if line.lstrip().startswith("["):
            table = _path_of(line)
            headers.append((number, table))
        elif table is not None and (found := _assigned(line)) and (*table, *found[0]) == keys:
            yield from _replaced(lines, number, found[1], value)
    ends_at = (*(place for place, _ in headers[1:]), len(lines))
    for (number, named), after in zip(headers, ends_at, strict=False):
        if named == keys[:-1]:
            last = next(n for n in range(after - 1, number - 1, -1) if n == number or _says_something(lines[n]))
            yield "\n".join([*lines[: last + 1], _assignment(keys[-1], value), *lines[last + 1 :]])
    if not keys[:-1]:
        above = lines[: headers[0][0]] if headers else lines
        last = max((n for n, line in enumerate(above) if _says_something(line)), default=-1)
        gap_below = [""] if last < 0 and lines[0].strip() else []
        yield "\n".join([*lines[: last + 1], _assignment(keys[-1], value), *gap_below, *lines[last + 1 :]])
        return
    said = text.rstrip()
    gap = "\n\n" if said else ""
    yield f"{said}{gap}[{_dotted(keys[:-1])}]\n{_assignment(keys[-1], value)}\n"


def _replaced(lines: list[str], first: int, equals: int, value: object) -> Iterator[str]:
    """With another value in the statement that begins in this line, whose `=` stands there. A comment at its end stays;
    one in the midst of a value of several lines would be lost, so then there is none of these."""
    last = next((n for n in range(first, len(lines)) if _parses("\n".join(lines[first : n + 1]))), None)
    if last is None or (last > first and any("#" in line for line in lines[first : last + 1])):
        return
    line = lines[first]
    cut = next((n for n, char in enumerate(line) if char == "#" and _parses(line[:n])), None) if last == first else None
    kept = line[len(line[:cut].rstrip()) :] if cut is not None else ""
    yield "\n".join([*lines[:first], f"{line[:equals].rstrip()} = {_literal(value)}{kept}", *lines[last + 1 :]])


def _assigned(line: str) -> tuple[Keys, int] | None:
    """What is assigned to in this line, and where its `=` stands; None where nothing is."""
    places = (place for place, char in enumerate(line) if char == "=")
    return next(((path, place) for place in places if (path := _path_of(f"{line[:place]}= 0"))), None)


def _path_of(line: str) -> Keys | None:
    """The one way that is named in a line; None where it is not of that kind."""
    found: object = _read(line)
    path = []
    while isinstance(found, dict) and found:
        (name,) = found
        path.append(name)
        found = found[name]
    return tuple(path) if path and not isinstance(found, list) else None


def _says_something(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _parses(text: str) -> bool:
    return _read(text) is not None


def _reads_as(text: str, wanted: object) -> bool:
    return _same(_read(text), wanted)


def _read(text: str) -> dict[str, Any] | None:
    """The document, None for what is none, or is nested too deeply."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None


def _same(one: Any, other: Any) -> bool:
    """Whether two documents hold the same: to Python, 1 and 1.0 and true are equal."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other or (one != one and other != other))


def _set(document: Mapping[str, Any], keys: Keys, value: object) -> dict[str, Any] | None:
    """The document with that value, None where something else is where a table is due."""
    new = deepcopy(dict(document))
    table: Any = new
    for name in keys[:-1]:
        table = table.setdefault(name, {})
        if not isinstance(table, dict):
            return None
    table[keys[-1]] = (_read(f"value = {_literal(value)}") or {}).get("value")
    return new


def _assignment(name: str, value: object) -> str:
    return f"{_dotted((name,))} = {_literal(value)}"


def _dotted(keys: Keys) -> str:
    return ".".join(
        name if name.replace("-", "_").isidentifier() and name.isascii() else _literal(name) for name in keys
    )


def _literal(value: object) -> str:
    """The value as TOML, in one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_dotted((str(name),))} = {_literal(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_literal, value))}]"
    try:
        return tomli_w.dumps({"value": value}).removeprefix("value = ").rstrip("\n")
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{value!r} is no value of a settings file: {error}") from None
