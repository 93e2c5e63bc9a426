"""Which plugins there are, found without importing any of them."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

import treadle
from treadle.core.config.settings import plugin_name
from treadle.core.config.trust import PROJECT_PLUGINS
from treadle.core.plugin_worker import boot, entry

if TYPE_CHECKING:
    from importlib import metadata

ENTRY_POINTS = "treadle"
"""The entry-point group of third-party plugins."""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A plugin that could be loaded. `entry` is `module` or `module:attribute`, or the absolute path of a project's
    file; `interpreter` is who can import that in another process."""

    name: str
    version: str
    source: str
    entry: str
    built_in: bool = False
    on_request: bool = False
    of_project: bool = False
    interpreter: str = sys.executable

    def load(self) -> object:
        """Import it into this process. Raises whatever that raises."""
        return entry.load(self.entry)

    def place(self) -> Path | None:
        """Where its own top package or module lies; None when that can't be found."""
        return Path(self.entry) if self.of_project else boot.place_of(self.entry)


def built_in(name: str, module: str, *, on_request: bool = False) -> Found:
    """One of the plugins that ship with Treadle; `on_request`: it is off until the person enables it."""
    return Found(
        name=name,
        version=treadle.__version__,
        source="built-in",
        entry=module,
        built_in=True,
        on_request=on_request,
    )


def third_party() -> dict[str, list[Found]]:
    """Those of this environment's distributions, by name; more than one of a name is a fault for others to tell."""
    by_name: dict[str, list[Found]] = {}
    for point in _entry_points():
        by_name.setdefault(plugin_name(point.name), []).append(_found(point))
    return by_name


def of_project(project: Path) -> dict[str, list[Found]]:
    """The plugins that lie in the project itself: the files of `.treadle/plugins` whose names do not begin with `_`."""
    by_name: dict[str, list[Found]] = {}
    for file in sorted((project / PROJECT_PLUGINS).glob("[!_.]*.py")):
        name = plugin_name(file.stem)
        found = Found(name=name, version="", source=str(PROJECT_PLUGINS / file.name), entry=str(file), of_project=True)
        by_name.setdefault(name, []).append(found)
    return by_name


def _found(point: metadata.EntryPoint) -> Found:
    dist = point.dist
    version = dist.version if dist else ""
    source = f"{dist.name} {version}" if dist else "an unknown package"
    return Found(name=plugin_name(point.name), version=version, source=source, entry=point.value)


def _entry_points() -> Iterable[metadata.EntryPoint]:
    # A third of this module's import time, and not needed as long as no third-party plugin is on.
    from importlib import metadata

    try:
        return metadata.entry_points(group=ENTRY_POINTS)
    except (TypeError, ValueError):
        # One distribution's entry_points.txt can't be parsed; the others' still can.
        return [point for dist in metadata.distributions() for point in _entry_points_of(dist)]


def _entry_points_of(dist: metadata.Distribution) -> Iterable[metadata.EntryPoint]:
    try:
        return dist.entry_points.select(group=ENTRY_POINTS)
    except (TypeError, ValueError):
        return ()
