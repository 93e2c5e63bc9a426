"""Reading a pylock.toml (PEP 751) that was resolved for one Python: one archive for each distribution in it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import msgspec

from treadle.core.installers.installer import canonical

if TYPE_CHECKING:
    from packaging.tags import Tag


class Pinned(msgspec.Struct, frozen=True, kw_only=True):
    """One distribution. `line` names exactly this one in a file of requirements; `sha256` and `commit` are empty where
    there is no archive, no repository."""

    name: str
    url: str
    line: str
    sha256: str = ""
    commit: str = ""


def read(file: Path, version: str = "") -> tuple[Pinned, ...]:
    """What the lock pins. Where there are several wheels it is the best that this Python can use, or a CPython of that
    `version`, and a source only where there is none."""
    packages = tomllib.loads(file.read_text(encoding="utf-8")).get("packages", [])
    tags = _tags(version)
    return tuple(_pinned(entry, file.parent, tags) for entry in packages)


def _pinned(entry: Mapping[str, Any], folder: Path, tags: Sequence[Tag]) -> Pinned:
    name = entry["name"]
    if vcs := entry.get("vcs"):
        place = f"#subdirectory={vcs['subdirectory']}" if "subdirectory" in vcs else ""
        line = f"{name} @ git+{vcs['url']}@{vcs['commit-id']}{place}"
        return Pinned(name=canonical(name), url=vcs["url"], line=line, commit=vcs["commit-id"])
    if directory := entry.get("directory"):
        url = (folder / directory["path"]).as_uri()
        return Pinned(name=canonical(name), url=url, line=f"{name} @ {url}")
    wheels = entry.get("wheels")
    said = min(wheels, key=lambda wheel: _rank(wheel, tags)) if wheels else entry.get("sdist") or entry["archive"]
    url = said.get("url") or (folder / said["path"]).as_uri()
    line = f"{name} @ {url}" if "archive" in entry else f"{name}=={entry['version']}"
    sha256 = said.get("hashes", {}).get("sha256", "")
    return Pinned(
        name=canonical(name),
        url=url,
        line=f"{line} --hash=sha256:{sha256}" if sha256 else line,
        sha256=sha256,
    )


def _tags(version: str) -> Sequence[Tag]:
    from packaging.tags import compatible_tags, cpython_tags, sys_tags

    if not version:
        return tuple(sys_tags())
    major, minor = map(int, version.split("."))
    return (*cpython_tags((major, minor)), *compatible_tags((major, minor), f"cp{major}{minor}"))


def _rank(wheel: Mapping[str, Any], order: Sequence[Tag]) -> tuple[int, int, str]:
    """Smaller is better: the order of tags, then the higher build number."""
    from packaging.utils import parse_wheel_filename

    name = unquote(wheel.get("name") or (wheel.get("url") or wheel["path"]).rpartition("/")[2])
    _, _, build, tags = parse_wheel_filename(name)
    place = min((order.index(tag) for tag in tags if tag in order), default=len(order))
    number, rest = build or (0, "")
    return place, -number, rest
