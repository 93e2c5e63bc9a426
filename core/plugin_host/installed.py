"""The index of installed plugins: which environments there are, and which plugins each holds. Reading it imports
nothing.

It is JSON: `version` is that of its shape, `installed` are the entries by distribution. A Treadle that adds a field
leaves the version as it is, and one that does not know the field keeps it when it writes the file; one that changes
what a field means makes the version greater, and older ones leave the file alone.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import msgspec

from treadle.core.config import own_file, toml_files
from treadle.core.errors import ConfigError
from treadle.core.installers.source import Source
from treadle.core.records import Record
from treadle.core.tree import tree_mark

PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
"""The version of Python that environments are made with. What Treadle supplies to a plugin is compiled for it."""
VERSION = 1
"""The version of the index's shape."""


class Installed(Record, frozen=True, kw_only=True):
    """A distribution in an environment of its own. `folder` is that environment below the index; `plugins` are its
    entry points by name, and `places` where, inside of the environment, the package of each lies. `mark` and `digest`
    stand for the environment as it was made (`tree_mark`); `commit` is git's, `source_digest` that of a path.
    `installer` is the program that filled it."""

    distribution: str
    version: str
    source: Source
    folder: str
    python: str
    plugins: dict[str, str]
    places: dict[str, str]
    mark: str
    digest: str
    commit: str = ""
    source_digest: str = ""
    allow_build: bool = False
    installer: str = "pip"

    @property
    def origin(self) -> str:
        """Whom its plugins come from, as `Found.origin`."""
        return f"environment {self.distribution}"

    def interpreter(self, environments: Path) -> Path:
        """The environment's Python."""
        return environments / self.folder / "bin" / "python"

    def trouble(self, environments: Path) -> str:
        """Why it can't be used as it is now, empty when it can. Its files are not looked at."""
        mend = f"`treadle plugin update {self.distribution}` makes it anew"
        if self.python != PYTHON:
            return f"its environment is for Python {self.python}, and Treadle runs on {PYTHON}: {mend}"
        if not self.interpreter(environments).exists():
            return f"its environment, {environments / self.folder}, has no Python any more: {mend}"
        return ""

    def is_changed(self, environments: Path, *, thorough: bool = False) -> bool:
        """Whether the files are others than were installed. They are all read when their times changed, which a move
        to another disk does as well, or when it is to be thorough. That only times changed is kept in the index."""
        folder = environments / self.folder
        try:
            mark = tree_mark.mark(folder)  # first: what changes while the files are read is seen the next time
            if not thorough and mark == self.mark:
                return False
            changed = tree_mark.content_digest(folder) != self.digest
        except OSError:
            return True
        if not changed and mark != self.mark:
            _keep_mark(environments, self, mark)
        return changed


class _Shape(msgspec.Struct, frozen=True):
    version: Annotated[int, msgspec.Meta(ge=1)]


class _Index(_Shape, frozen=True):
    installed: dict[str, Installed]


def index_file(environments: Path) -> Path:
    """Where the index lies."""
    return environments / "installed.json"


def read(environments: Path) -> dict[str, Installed]:
    """What is installed, by distribution. Raises `ConfigError` for an index that can't be read."""
    file = index_file(environments)
    data = toml_files.read_bytes(file)
    return {} if data is None else _entries(data, file)


def _entries(data: bytes, file: Path) -> dict[str, Installed]:
    try:
        version = msgspec.json.decode(data, type=_Shape).version
        if version > VERSION:
            raise ConfigError(
                f"{file}: was written by a newer Treadle (version {version} of this file, and {VERSION} is the newest "
                "that this one knows); update this Treadle, or name another folder with TREADLE_HOME"
            )
        entries = msgspec.json.decode(data, type=_Index).installed
    except (ValueError, RecursionError) as error:
        raise _damaged(file, str(error)) from None
    for name, entry in entries.items():
        if Path(entry.folder).name != entry.folder or entry.folder in ("", ".", "..") or "\0" in entry.folder:
            raise _damaged(file, f"{entry.folder!r} is no folder beside it")
        if entry.distribution != name:
            raise _damaged(file, f"{name!r} stands for {entry.distribution!r}")
        for plugin in entry.plugins:
            place = Path(entry.places.get(plugin, "/"))
            if place.is_absolute() or ".." in place.parts or "\0" in str(place):
                raise _damaged(file, f"nothing says where in its environment the plugin {plugin!r} lies")
    return entries


def put(environments: Path, entry: Installed) -> None:
    """Add a distribution, or put it in the place of what it was. Raises `ConfigError`."""
    _change(environments, lambda entries: entries.update({entry.distribution: entry}))


def drop(environments: Path, distribution: str) -> None:
    """Take a distribution out. Raises `ConfigError`."""
    _change(environments, lambda entries: entries.pop(distribution, None))


def _keep_mark(environments: Path, entry: Installed, mark: str) -> None:
    def change(entries: dict[str, Installed]) -> None:
        now = entries.get(entry.distribution)
        # Another program may have installed it anew meanwhile.
        if now is not None and (now.folder, now.digest) == (entry.folder, entry.digest):
            entries[entry.distribution] = msgspec.structs.replace(now, mark=mark)

    with contextlib.suppress(ConfigError):  # that it can't be written does no harm: the files are read again
        _change(environments, change)


def _change(environments: Path, change: Callable[[dict[str, Installed]], object]) -> None:
    file = index_file(environments)

    def altered() -> bytes:
        data = toml_files.read_bytes(file)
        entries = {} if data is None else _entries(data, file)
        document = _fields(data)
        written = _fields(document.get("installed"))
        change(entries)
        now = {name: _laid_over(written.get(name), entry) for name, entry in entries.items()}
        document |= {"version": _raw(VERSION), "installed": _raw(now)}
        return toml_files.of_readable_size(msgspec.json.format(msgspec.json.encode(document)) + b"\n", file)

    own_file.rewrite(file, altered, is_text=True)


def _laid_over(written: msgspec.Raw | None, record: msgspec.Struct) -> dict[str, msgspec.Raw]:
    """The record in the place of what was written, of which the fields stay that only a newer Treadle knows."""
    fields = _fields(written)
    for name in record.__struct_fields__:
        value = getattr(record, name)
        fields[name] = _raw(_laid_over(fields.get(name), value) if isinstance(value, msgspec.Struct) else value)
    return fields


def _fields(data: bytes | msgspec.Raw | None) -> dict[str, msgspec.Raw]:
    return {} if data is None else msgspec.json.decode(data, type=dict[str, msgspec.Raw])


def _raw(value: object) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(value))


def _damaged(file: Path, why: str) -> ConfigError:
    return ConfigError(f"{file}: is damaged: {why}; delete {file.parent} and install your plugins again")
