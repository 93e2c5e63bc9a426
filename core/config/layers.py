"""Reading the settings: five layers, each checked by itself, merged by the rules of `core.config.settings`.

Defaults, then the user's `config.toml`, then the project's (`.treadle/config.toml`, or `[tool.treadle]` in its
pyproject.toml), then `TREADLE_*` variables, then the command line; the later one wins. Except that a project which the
person has not trusted can only tighten: what it would loosen is left out, and said. A person's file is only
read here; `core.config.one_value` sets one value in it for them.
"""

from __future__ import annotations

import os
import shlex
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from treadle.core.config import toml_files
from treadle.core.config.prompt_files import FOLDER, prompt_files
from treadle.core.config.server_url import check_no_password, check_store
from treadle.core.config.settings import (
    KEYS,
    TYPES,
    Ignored,
    KeyInfo,
    Origin,
    Settings,
    Source,
    flat,
    plugin_name,
    told_of,
)
from treadle.core.config.tightening import Changes, tighten
from treadle.core.config.trust import PROJECT_PROMPTS, Content, Trust, content_of
from treadle.core.errors import ConfigError
from treadle.core.folded import folded
from treadle.core.nearest import did_you_mean

PREFIX = "TREADLE_"
NOT_SETTINGS = frozenset({"TREADLE_HOME", "TREADLE_JOB", "TREADLE_DEBUG"})
"""Variables of ours that are no settings: where the state lies, what a job is told inside the sandbox, and whether an
error of the program's own is shown with its traceback."""

_SECTIONS = {key.rpartition(".")[0] for key in KEYS} - {""}
_TABLES = {key for key, info in KEYS.items() if isinstance(info.default, dict)}


_LIMIT = 2**63
"""Whole numbers from here on are none that msgpack holds."""

Entry = tuple[str, Any, str]
"""A dotted key, its checked value, and the file or variable that it was found in."""


class Layer(msgspec.Struct, frozen=True):
    """What one kind of place sets. Tables are joined, so a table's key may come more than once."""

    source: Source
    entries: tuple[Entry, ...]


def load(
    project: Path,
    *,
    user_file: Path,
    env: Mapping[str, str],
    overrides: Mapping[str, object],
    trust: Trust | None = None,
) -> Settings:
    """The settings for this project. `overrides` are the command line's, by dotted key; strings among them are read as
    in the environment. Raises `ConfigError`, which names the place and the key, for whatever can't be read, is unknown
    or has the wrong type."""
    table, place = project_table(project)
    prompts = prompt_files(project / PROJECT_PROMPTS, inside=project)
    content = content_of(project, table, _name_in(project, place), prompts)
    standing = trust.state(project, content.hash) if trust and content.hash else "none"
    layers = (
        _file_layer("user file", toml_files.read(user_file), str(user_file)),
        _prompt_layer("user file", prompt_files(user_file.parent / FOLDER)),
        _file_layer("project file", table, place),
        _prompt_layer("project file", prompts),
        _environment_layer(env),
        _override_layer(overrides),
    )
    return _merge(layers, trusted=standing == "trusted", lapsed=standing == "changed", covers=content.covers)


def value_in_words(key: str, text: str) -> Any:
    """The value of a setting that a text stands for, as in a variable of the environment. Raises `ConfigError` where
    the setting does not take it."""
    try:
        return _entry(key, text, key)[1]
    except ConfigError as error:  # which names the setting itself: the place is no other
        raise ConfigError(str(error).removeprefix(f"{key}: ")) from None


def check_user_file(table: Mapping[str, Any], file: Path) -> None:
    """Raises `ConfigError` as `load` does for a person's own file that holds this."""
    _file_layer("user file", table, str(file))


def project_content(project: Path) -> Content:
    """What `treadle trust` would trust in this project."""
    table, place = project_table(project)
    prompts = prompt_files(project / PROJECT_PROMPTS, inside=project)
    return content_of(project, table, _name_in(project, place), prompts)


def project_table(project: Path) -> tuple[dict[str, Any], str]:
    """The project's settings as they are written, and the file that they are in. Raises `ConfigError` when two files
    hold some."""
    own, shared = project / ".treadle" / "config.toml", project / "pyproject.toml"
    table = toml_files.read(own, inside=project)
    tool_table = _tool_table(shared, project)
    if table and tool_table:
        raise ConfigError(f"settings in both {own} and [tool.treadle] of {shared}; keep one of them")
    if tool_table:
        return tool_table, f"{shared} [tool.treadle]"
    return table, str(own)


def _tool_table(file: Path, project: Path) -> dict[str, Any]:
    # A pyproject.toml that does not speak of us is none of our business, even if it is broken or a link.
    if not _speaks_of_us(file):
        return {}
    data = toml_files.read_bytes(file, inside=project) or b""
    tool = toml_files.parse(data, file).get("tool", {})
    table = tool.get("treadle", {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        raise ConfigError(f"{file}: tool.treadle must be a table, [tool.treadle]")
    return table


def _speaks_of_us(file: Path) -> bool:
    if not file.is_file():
        return False
    try:
        with file.open("rb") as opened:
            return b"treadle" in opened.read(toml_files.LARGEST)
    except OSError:
        return True


def _name_in(project: Path, place: str) -> str:
    return place.removeprefix(f"{project}{os.sep}")


# ---------------------------------------------------------------- one layer


def _file_layer(source: Source, table: Mapping[str, Any], place: str) -> Layer:
    return Layer(source, tuple((key, _typed(key, value, place), place) for key, value in _keys_of(table, place)))


def _prompt_layer(source: Source, prompts: Mapping[Path, str]) -> Layer:
    entries = (("plugins", {plugin_name(file.stem): {"prompt": text}}, str(file)) for file, text in prompts.items())
    return Layer(source, tuple(entries))


def _environment_layer(env: Mapping[str, str]) -> Layer:
    ours = sorted(v for v in env if v.startswith(PREFIX) and v not in NOT_SETTINGS and env[v])
    return Layer("environment", tuple(_entry(_dotted(variable), env[variable], variable) for variable in ours))


def _override_layer(overrides: Mapping[str, object]) -> Layer:
    entries = [_entry(dotted, value, "the command line") for dotted, value in overrides.items()]
    for dotted, value in overrides.items():  # after that: a setting that knows better where its key goes has said so
        _check_no_key(dotted, value)
    return Layer("command line", tuple((key, value, "") for key, value, _ in entries))


def _check_no_key(dotted: str, value: object) -> None:
    """What is chosen for a run is kept with its session, word for word, so that it goes on as it began. Raises
    `ConfigError`, which does not repeat the value."""
    from treadle.core.redaction import has_secret_shape  # most runs choose nothing

    if has_secret_shape(str(value)):
        raise ConfigError(
            f"the command line: {dotted} holds what looks like a key or a password, and what is chosen for a run is "
            "kept with its session. Keys belong in a variable of the environment or in the system's keyring; what you "
            "want in a setting all the same goes into your config.toml"
        )


def _dotted(variable: str) -> str:
    return variable[len(PREFIX) :].lower().replace("__", ".")


def _entry(dotted: str, value: object, place: str) -> Entry:
    """One value under its key; `scan.severity.RULE` and `plugins.NAME.KEY` reach into tables, and a plugin's key into
    those of its setting. A string stands for what it says where the key is no string."""
    if dotted in KEYS:
        read = _from_text(KEYS[dotted], value) if isinstance(value, str) else value
        return dotted, _typed(dotted, read, place), place
    for table in _TABLES:
        inner = dotted.removeprefix(f"{table}.")
        if inner == dotted:
            continue
        leaf = _toml_value(value) if isinstance(value, str) else value
        if table != "plugins":
            return table, _typed(table, {inner: leaf}, place), place
        name, *path = _names_in(inner)
        if name and path and all(path):
            return table, _typed(table, {name: _nested(path, leaf)}, place), place
    raise _unknown(dotted, place)


def _from_text(info: KeyInfo, text: str) -> object:
    """The value that a string stands for where there are only strings: TOML for lists, tables and numbers, or words
    with commas between them for a list."""
    if isinstance(info.default, str) or info.options or (info.argv and not text.lstrip().startswith("[")):
        return text
    value = _toml_value(text)
    if isinstance(info.default, tuple) and isinstance(value, str):
        return [word.strip() for word in value.split(",") if word.strip()]
    return value


def _names_in(dotted: str) -> list[str]:
    """The names of a dotted way into tables; one with a dot in it stands in quotes, as in TOML."""
    try:
        found: object = tomllib.loads(f"{dotted} = 0")
    except (ValueError, RecursionError):
        return dotted.split(".")
    names = []
    while isinstance(found, dict) and len(found) == 1:
        ((name, found),) = found.items()
        names.append(name)
    return names if found == 0 else dotted.split(".")


def _nested(path: Sequence[str], value: object) -> object:
    """The value under these names, each in the table of the one before."""
    for name in reversed(path):
        value = {name: value}
    return value


def _toml_value(text: str) -> object:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        return text


def _keys_of(table: Mapping[str, Any], place: str, prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        dotted = prefix + name
        if dotted in KEYS:
            yield dotted, value
        elif dotted in _SECTIONS:
            if not isinstance(value, dict):
                raise ConfigError(f"{place}: {dotted} must be a table of settings, [{dotted}], not {value!r}")
            yield from _keys_of(value, place, f"{dotted}.")
        else:
            raise _unknown(dotted, place)


def _typed(dotted: str, value: object, place: str) -> Any:
    info = KEYS[dotted]
    if info.argv and isinstance(value, str):
        try:
            value = shlex.split(value)
        except ValueError as error:
            raise ConfigError(f"{place}: {dotted} can't be split into words: {error}") from None
    if type(value) is int and value >= _LIMIT and "number" in info.kind:
        raise ConfigError(f"{place}: {dotted} must be {info.kind}, and less than {_LIMIT}, not {_shown(value)}")
    try:
        typed = msgspec.convert(value, TYPES[dotted], strict=True)
    except msgspec.ValidationError as error:
        where = str(error).rpartition(" - at `$")[2].rstrip("`") if " - at `$" in str(error) else ""
        at = f" (at {where})" if where else ""
        raise ConfigError(f"{place}: {dotted} must be {info.kind}, not {_shown(value)}{at}") from None
    # Neither infinity, nor what is no number, nor what msgpack can't hold.
    if isinstance(typed, int | float) and not abs(typed) < _LIMIT:
        raise ConfigError(f"{place}: {dotted} must be {info.kind}, not {_shown(value)}")
    if dotted == "hook_timeouts_s" and typed:
        from treadle.core.hook_types import unknown_hook  # few people set it, and all records are read for it

        if unknown := unknown_hook(typed):
            raise ConfigError(f"{place}: {dotted}: {unknown}")
    if dotted == "store":
        check_store(typed, place)
    if dotted == "plugins":
        for name, inner in typed.items():
            check_no_password(f"plugins.{name}", inner, place)
        return {plugin_name(name): inner for name, inner in typed.items()}
    return typed


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _unknown(dotted: str, place: str) -> ConfigError:
    return ConfigError(
        f"{place}: unknown key {dotted!r}; {did_you_mean(dotted, [*KEYS, *_SECTIONS])}`treadle config` lists all keys"
    )


# ---------------------------------------------------------------- all layers


def _merge(layers: tuple[Layer, ...], *, trusted: bool, lapsed: bool, covers: tuple[str, ...]) -> Settings:
    values: dict[str, Any] = {key: info.default for key, info in KEYS.items()}
    origins: dict[str, Origin] = {}
    ignored: list[Ignored] = []
    for layer in layers:
        for dotted, value, place in layer.entries:
            origin = Origin(source=layer.source, place=place)
            changes: Changes = {dotted: value}
            if layer.source == "project file" and not trusted:
                changes, left_out = tighten(dotted, value, values, origin.place)
                ignored += left_out
            elif dotted == "scan.severity":
                _lift_floors(value, values, origins)
            for changed, new in changes.items():
                values[changed] = _joined(values[changed], new) if changed in _TABLES else new
                origins.update((key, origin) for key, _ in flat(changed, new))
    notices = list(told_of(ignored))
    if lapsed:
        named = ", ".join(folded(covers, "more"))
        changed = f"of this project's {named}, something changed since you trusted it: it is trusted no more"
        notices.insert(0, f"{changed}; look at it and run `treadle trust` again")
    return _settings(values, origins, tuple(ignored), tuple(notices))


def _lift_floors(severities: Mapping[str, Any], values: dict[str, Any], origins: dict[str, Origin]) -> None:
    """What the person says of a rule later (a variable, the command line) beats a project's floor for it."""
    lifted = {r for r in severities if origins.get(f"scan.at_least.{r}", Origin()).source == "project file"}
    values["scan.at_least"] = {r: s for r, s in values["scan.at_least"].items() if r not in lifted}
    for rule in lifted:
        del origins[f"scan.at_least.{rule}"]


def _joined(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Two tables as one; the later value wins, and tables within are joined too."""
    joined = dict(old)
    for name, value in new.items():
        both = isinstance(value, dict) and isinstance(old.get(name), dict)
        joined[name] = _joined(old[name], value) if both else value
    return joined


def _settings(
    values: Mapping[str, Any], origins: dict[str, Origin], ignored: tuple[Ignored, ...], notices: tuple[str, ...]
) -> Settings:
    nested: dict[str, Any] = {}
    for dotted, value in values.items():
        *sections, name = dotted.split(".")
        table = nested
        for section in sections:
            table = table.setdefault(section, {})
        table[name] = value
    # The values are checked; converting once more builds the sections.
    keys = msgspec.convert(nested, Settings)
    return msgspec.structs.replace(keys, origins=origins, ignored=ignored, notices=notices)
