"""Trust: which content of which project the person has trusted.

A project's files can only tighten what the person set, until the person trusts exactly their content. Trust is bound
to a hash of that content, so it lapses as soon as the content changes.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from treadle.core import paths
from treadle.core.config import toml_files
from treadle.core.config.real_place import real_place
from treadle.core.errors import ConfigError
from treadle.core.folded import folded
from treadle.core.records import Record
from treadle.core.walking import walk

PROJECT_PLUGINS = Path(".treadle", "plugins")
"""Where a project keeps plugins of its own."""
PROJECT_PROMPTS = Path(".treadle", "prompts")
"""Where a project keeps prompts of its own."""
MOST_PLUGIN_FILES = 1_000
"""Files of a project's own plugins that are looked at."""
LARGEST_PLUGINS = 16 << 20
"""Bytes that all of them may have: each command reads them, to see whether they are what was trusted."""
_MOST_PASSED = 10_000  # folders and files, with those that do not count
_LONGEST_SHOWN = 200  # characters
_DUE = "plugin's file"


class Content(Record, frozen=True, kw_only=True):
    """What a project brings that trust would let in. `covers` names each part, for the person to look at; `hash` stands
    for all of it, `""` when there is nothing to trust. `plugins` are the files of its own plugins, by their relative
    paths, with the very bytes that were hashed: nothing else of that folder is to be run. `plugins_hash` stands for
    these alone. `left_out` is what lies among the plugins and is not taken, a line each: a folder that is a link, what
    is no file, leads out of the project, can't be read, or is too much."""

    hash: str = ""
    covers: tuple[str, ...] = ()
    plugins: dict[str, bytes] = {}
    plugins_hash: str = ""
    left_out: tuple[str, ...] = ()


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
            raise ConfigError(
                f"{project} brings nothing that needs trust: no settings, no prompts and no plugins of its own"
            )
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


def content_of(
    project: Path, table: Mapping[str, Any], table_place: str, prompts: Mapping[Path, str] | None = None
) -> Content:
    """The project's settings table as it was read, its prompts, and its own plugins byte by byte. Comments and order in
    the settings do not count, and neither does bytecode, which Python writes as it likes: it is in no
    `Content.plugins`."""
    parts: list[tuple[str, bytes]] = []
    if table:
        canonical = json.dumps(table, sort_keys=True, default=str, ensure_ascii=True)
        parts.append((table_place, canonical.encode()))
    parts += [(paths.relative_to(project, file), text.encode()) for file, text in (prompts or {}).items()]
    plugins, left_out = _plugins(project)
    parts += plugins
    if not parts:
        return Content(left_out=left_out)
    return Content(
        hash=_hash(parts),
        covers=tuple(name for name, _ in parts),
        plugins=dict(plugins),
        plugins_hash=_hash(plugins) if plugins else "",
        left_out=left_out,
    )


def plugin_trouble(file: Path, project: Path) -> str:
    """Why this can't be the file of a plugin of the project's own, empty when it can."""
    try:
        toml_files.refuse_unreadable(file, inside=project, due=_DUE)
    except ConfigError as error:
        return str(error).removeprefix(f"{file}: ")
    return ""


def _plugins(project: Path) -> tuple[list[tuple[str, bytes]], tuple[str, ...]]:
    """The files below the plugins' folder with what they hold, as far as the bounds allow, and what is left out."""
    folder = project / PROJECT_PLUGINS
    try:
        real_place(folder, project)
    except ConfigError as error:
        return [], (str(error).replace(f"{folder}:", f"{PROJECT_PLUGINS}:", 1),)
    files: list[tuple[str, bytes]] = []
    left_out: list[str] = []
    size = 0
    for file in sorted(_in_plugins(folder, project, left_out)):
        name = paths.relative_to(project, file)
        if file.is_dir():
            left_out.append(f"{name}: is a link to a folder; put the files themselves in its place")
            continue
        try:
            data = toml_files.read_bytes(file, inside=project, due=_DUE) or b""
        except ConfigError as error:
            left_out.append(f"{name}: {str(error).removeprefix(f'{file}: ')}")
            continue
        size += len(data)
        if size > LARGEST_PLUGINS:
            left_out.append(
                f"{name}, and all after it in {PROJECT_PLUGINS}: more than {LARGEST_PLUGINS >> 20} MiB are not taken"
            )
            break
        files.append((name, data))
    return files, folded(left_out, "more in it")


def _in_plugins(folder: Path, project: Path, left_out: list[str]) -> Iterator[Path]:
    """The files that are looked at, and the links to folders. What lies in folders that are looked at no more, or can't
    be read, goes to `left_out`."""
    found, passed = 0, 0
    failed: list[OSError] = []
    for inner, folders, names in walk(folder, failed.append):
        folders[:] = (name for name in folders if name != "__pycache__")
        passed += 1 + len(names)
        own = [name for name in names if not name.endswith(".pyc")]
        room = MOST_PLUGIN_FILES - found
        yield from (folder / inner / name for name in own[:room])
        found += len(own)
        if found > MOST_PLUGIN_FILES or passed > _MOST_PASSED:
            left_out.append(
                f"{PROJECT_PLUGINS}: has more than {MOST_PLUGIN_FILES} files, or far more of folders; the rest is not "
                "taken"
            )
            break
    for error in failed:
        if not isinstance(error, FileNotFoundError | NotADirectoryError):
            place = paths.relative_to(project, Path(error.filename))[:_LONGEST_SHOWN]
            left_out.append(f"{place}: can't be read ({error.strerror}); mend its permissions or move it away")


def _hash(parts: list[tuple[str, bytes]]) -> str:
    digest = hashlib.sha256()
    for name, data in parts:
        digest.update(f"{len(name.encode())}:{name}:{len(data)}:".encode() + data)
    return f"sha256:{digest.hexdigest()}"


def _key(project: Path) -> str:
    return paths.encode(os.path.realpath(project))
