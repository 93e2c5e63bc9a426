"""The index of installed plugins: which environments there are, and which plugins each holds. Reading it imports
nothing."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec

from treadle.core.config import toml_files
from treadle.core.errors import ConfigError
from treadle.core.plugin_host import tree_mark
from treadle.core.plugin_host.source import Source
from treadle.core.records import Record

PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
"""The version of Python that environments are made with. What Treadle supplies to a plugin is compiled for it."""


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

    def interpreter(self, environments: Path) -> Path:
        """The environment's Python."""
        return environments / self.folder / "bin" / "python"

    def trouble(self, environments: Path) -> str:
        """Why it can't be used as it is now, empty when it can. All files are read only when their times changed."""
        mend = f"`treadle plugin update {self.distribution}` makes it anew"
        if self.python != PYTHON:
            return f"its environment is for Python {self.python}, and Treadle runs on {PYTHON}: {mend}"
        if not self.interpreter(environments).exists():
            return f"its environment, {environments / self.folder}, has no Python any more: {mend}"
        return ""

    def is_changed(self, environments: Path, *, thorough: bool = False) -> bool:
        """Whether the files are others than were installed. They are all read when their times changed, which a move
        to another disk does as well, or when it is to be thorough."""
        folder = environments / self.folder
        try:
            if not thorough and tree_mark.mark(folder) == self.mark:
                return False
            return tree_mark.content_digest(folder) != self.digest
        except OSError:
            return True


def index_file(environments: Path) -> Path:
    """Where the index lies."""
    return environments / "installed.toml"


def read(environments: Path) -> dict[str, Installed]:
    """What is installed, by distribution. Raises `ConfigError` for an index that can't be read."""
    file = index_file(environments)
    return {name: _entry(table, file) for name, table in _tables(toml_files.read(file), file).items()}


def put(environments: Path, entry: Installed) -> None:
    """Add a distribution, or put it in the place of what it was. Raises `ConfigError`."""
    _change(environments, entry.distribution, msgspec.to_builtins(entry))


def drop(environments: Path, distribution: str) -> None:
    """Take a distribution out. Raises `ConfigError`."""
    _change(environments, distribution, None)


def _change(environments: Path, distribution: str, table: dict[str, Any] | None) -> None:
    file = index_file(environments)

    def change(document: dict[str, Any]) -> None:
        tables = document.setdefault("installed", {})
        tables.pop(distribution, None)
        if table is not None:
            tables[distribution] = table

    toml_files.update(file, change)


def _tables(document: dict[str, Any], file: Path) -> dict[str, Any]:
    tables = document.get("installed", {})
    if not isinstance(tables, dict):
        raise _damaged(file, "`installed` is no table")
    return tables


def _entry(table: Any, file: Path) -> Installed:
    try:
        entry = msgspec.convert(table, Installed)
    except msgspec.ValidationError as error:
        raise _damaged(file, str(error)) from None
    if Path(entry.folder).name != entry.folder or entry.folder in ("", ".", ".."):
        raise _damaged(file, f"{entry.folder!r} is no folder beside it")
    return entry


def _damaged(file: Path, why: str) -> ConfigError:
    return ConfigError(f"{file}: is damaged: {why}; delete {file.parent} and install your plugins again")
