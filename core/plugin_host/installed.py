"""The index of installed plugins: which environments there are, and which plugins each holds. Reading it imports
nothing."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec

from treadle.core.config import own_file, toml_files
from treadle.core.errors import ConfigError
from treadle.core.installers.source import Source
from treadle.core.records import Record
from treadle.core.tree import tree_mark

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


def index_file(environments: Path) -> Path:
    """Where the index lies."""
    return environments / "installed.json"


def read(environments: Path) -> dict[str, Installed]:
    """What is installed, by distribution. Raises `ConfigError` for an index that can't be read."""
    file = index_file(environments)
    data = toml_files.read_bytes(file)
    if data is None:
        return {}
    try:
        entries = msgspec.json.decode(data, type=dict[str, Installed])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
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
    def altered() -> bytes:
        entries = read(environments)
        change(entries)
        return msgspec.json.format(msgspec.json.encode(entries)) + b"\n"

    own_file.rewrite(index_file(environments), altered)


def _damaged(file: Path, why: str) -> ConfigError:
    return ConfigError(f"{file}: is damaged: {why}; delete {file.parent} and install your plugins again")
