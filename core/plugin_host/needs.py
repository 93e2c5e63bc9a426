"""What a plugin in its own process may reach besides its own folder: it says what it needs, the person grants it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from treadle.core.errors import PluginError
from treadle.core.plugin_check import NEEDS_NAME
from treadle.core.records import Record

PROJECT = "project"
"""Stands for the folder of the project among the paths."""


class Needs(Record, frozen=True, kw_only=True):
    """`read` and `write` are absolute paths, paths that begin with `~/`, or `project`; `environment` names variables.
    `network`: it reaches whatever this machine can, hosts can't be told apart."""

    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    network: bool = False
    environment: tuple[str, ...] = ()

    def lines(self) -> Iterator[str]:
        """What it means, a line each, for the person who is to grant it."""
        for path in self.write:
            yield f"read and write {self._named(path)}"
        for path in self.read:
            yield f"read {self._named(path)}"
        if self.network:
            yield "use the network: every host that this machine can reach"
        for name in self.environment:
            yield f"know the environment variable {name}"

    @staticmethod
    def _named(path: str) -> str:
        return "this project's files" if path == PROJECT else path

    def missing(self, granted: Needs) -> Needs:
        """What of this is not granted."""
        return Needs(
            read=tuple(p for p in self.read if p not in (*granted.read, *granted.write)),
            write=tuple(p for p in self.write if p not in granted.write),
            network=self.network and not granted.network,
            environment=tuple(n for n in self.environment if n not in granted.environment),
        )


def needs_of(said: object) -> Needs:
    """The needs as the plugin wrote them. Raises `PluginError` with the mend."""
    try:
        needs = msgspec.convert(said or {}, Needs, strict=True)
        unknown = sorted(set(said or {}) - set(Needs.__struct_fields__)) if isinstance(said, Mapping) else []
        if unknown:
            raise msgspec.ValidationError(f"there is no {unknown[0]!r}; there are {', '.join(Needs.__struct_fields__)}")
    except msgspec.ValidationError as error:
        raise PluginError(f"{NEEDS_NAME}: {error}") from None
    for path in (*needs.read, *needs.write):
        if path != PROJECT and not path.startswith("~/") and not Path(path).is_absolute():
            raise PluginError(f"{NEEDS_NAME}: {path!r} must be {PROJECT!r}, an absolute path or begin with ~/")
    return needs


def real_paths(paths: tuple[str, ...], project: Path) -> tuple[str, ...]:
    """The paths as they are on this machine."""
    return tuple(str(project) if path == PROJECT else str(Path(path).expanduser()) for path in paths)
