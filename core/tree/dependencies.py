"""Which packages a project declares that it needs, by the files in which Python and JavaScript projects say so."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from typing import Any

_REQUIREMENTS = re.compile(r"(?:.*/)?(?:(?:requirements|constraints)[^/]*|requirements/[^/]+)\.(?:txt|in)")
_NAME = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)")
_PACKAGE_JSON = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")


def added(path: str, before: bytes | None, after: bytes | None) -> tuple[str, ...]:
    """The packages that the file names after the change and did not before, sorted. A file that can't be read any more
    counts as if it named nothing, and one that could not be read before as if it had named nothing."""
    now = declared(path, after or b"")
    return tuple(sorted(now - declared(path, before or b"")))


def declared(path: str, content: bytes) -> frozenset[str]:
    """The names of the packages that a file declares, as they are compared (PEP 503); none when it is no such file."""
    name = path.rpartition("/")[2]
    text = content.decode("utf-8", "replace")
    try:
        if name == "pyproject.toml":
            return frozenset(map(_normal, _of_pyproject(tomllib.loads(text))))
        if name == "package.json":
            return frozenset(_of_package_json(json.loads(text)))
    except (ValueError, RecursionError):
        return frozenset()
    if _REQUIREMENTS.fullmatch(path):
        return frozenset(map(_normal, _of_lines(text)))
    return frozenset()


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _of_lines(text: str) -> Iterator[str]:
    for whole in text.splitlines():
        line = whole.partition(" #")[0].strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("-"):
            option, _, value = line.partition(" ")
            # Another file, or a place: it may bring anything, so it counts as a name of its own.
            if option in ("-r", "-e", "--requirement", "--editable"):
                yield value.strip()
            continue
        found = _NAME.match(line)
        yield found[1] if found and "://" not in line.partition("@")[0] else line


def _of_pyproject(data: dict[str, Any]) -> Iterator[str]:
    project = _table(data, "project")
    yield from _strings(project.get("dependencies"))
    for group in (*_table(project, "optional-dependencies").values(), *_table(data, "dependency-groups").values()):
        yield from _strings(group)
    yield from _strings(_table(data, "build-system").get("requires"))
    poetry = _table(_table(data, "tool"), "poetry")
    tables = [poetry, *(each for each in _table(poetry, "group").values() if isinstance(each, dict))]
    for table in tables:
        for key in ("dependencies", "dev-dependencies"):
            yield from (name for name in _table(table, key) if name.lower() != "python")


def _of_package_json(data: object) -> Iterator[str]:
    if isinstance(data, dict):
        for key in _PACKAGE_JSON:
            yield from _table(data, key)


def _table(data: dict[str, Any], key: str) -> dict[str, Any]:
    found = data.get(key)
    return found if isinstance(found, dict) else {}


def _strings(value: object) -> Iterator[str]:
    for each in value if isinstance(value, list) else ():
        found = _NAME.match(each) if isinstance(each, str) else None
        if found:
            yield found[1]
