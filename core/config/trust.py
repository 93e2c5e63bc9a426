"""Trust: which content of which project the person has trusted.

A project's files can only tighten what the person set, until the person trusts exactly their content. Trust is bound
to a hash of that content, so it lapses as soon as the content changes.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from treadle.core import paths
from treadle.core.config import toml_files
from treadle.core.errors import ConfigError
from treadle.core.records import Record

PROJECT_PLUGINS = Path(".treadle", "plugins")
"""Where a project keeps plugins of its own."""


class Content(Record, frozen=True, kw_only=True):
    """What a project brings that trust would let in. `covers` names each part, for the person to look at; `hash` stands
    for all of it, `""` when there is nothing to trust."""

    hash: str = ""
    covers: tuple[str, ...] = ()


class Trust:
    """What the person trusted, kept in their own state; nothing of a project's can write there."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def state(self, project: Path, content_hash: str) -> Literal["trusted", "changed", "none"]:
        """Whether this content is trusted; `changed` when the person trusted other content of the same project."""
        known = self._projects().get(_key(project), {}).get("hash")
        if not known:
            return "none"
        return "trusted" if known == content_hash else "changed"

    def grant(self, project: Path, content: Content) -> None:
        """Trust exactly this content of the project, in place of what was trusted before. Raises `ConfigError` when
        there is nothing to trust."""
        if not content.hash:
            raise ConfigError(f"{project} brings nothing that needs trust: no settings and no plugins of its own")
        entry = {"hash": content.hash, "covers": list(content.covers)}
        toml_files.update(
            self._file, lambda document: document.setdefault("projects", {}).update({_key(project): entry})
        )

    def revoke(self, project: Path) -> bool:
        """Trust nothing of the project any more. False when nothing was trusted."""
        if _key(project) not in self._projects():
            return False
        toml_files.update(self._file, lambda document: document.get("projects", {}).pop(_key(project), None))
        return True

    def covers(self, project: Path) -> tuple[str, ...]:
        """What the trusted content consisted of when it was trusted; empty when nothing was."""
        return tuple(self._projects().get(_key(project), {}).get("covers", ()))

    def _projects(self) -> dict[str, dict[str, Any]]:
        projects = toml_files.read(self._file).get("projects", {})
        if not isinstance(projects, dict) or not all(isinstance(entry, dict) for entry in projects.values()):
            raise ConfigError(f"{self._file}: is damaged; delete it and trust your projects again")
        return projects


def content_of(project: Path, table: Mapping[str, Any], table_place: str) -> Content:
    """The project's settings table as it was read, and its own plugins byte by byte. Comments and order in the settings
    do not count. Raises `ConfigError` when a plugin's file can't be read."""
    parts: list[tuple[str, bytes]] = []
    if table:
        canonical = json.dumps(table, sort_keys=True, default=str, ensure_ascii=True)
        parts.append((table_place, canonical.encode()))
    folder = project / PROJECT_PLUGINS
    if folder.is_dir():
        toml_files.check_inside(folder, project)
        for file in sorted(path for path in folder.rglob("*") if not path.is_dir() and path.suffix != ".pyc"):
            name = paths.relative_to(project, file)
            parts.append((name, toml_files.read_bytes(file, inside=project) or b""))
    if not parts:
        return Content()
    digest = hashlib.sha256()
    for name, data in parts:
        digest.update(f"{len(name.encode())}:{name}:{len(data)}:".encode() + data)
    return Content(hash=f"sha256:{digest.hexdigest()}", covers=tuple(name for name, _ in parts))


def _key(project: Path) -> str:
    return paths.encode(os.path.realpath(project))
