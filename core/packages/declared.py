"""Which packages a project declares that it needs, by the files in which Python and JavaScript projects say so."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from typing import Any

from treadle.core.errors import UnsafePath
from treadle.core.tree.workspace import Tree

_REQUIREMENTS = re.compile(r"(?:.*/)?(?:requirements[^/]*|requirements/[^/]+)\.(?:txt|in)")
_CONSTRAINTS = re.compile(r"(?:.*/)?constraints[^/]*\.(?:txt|in)")
_NAME = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)")
_PACKAGE_JSON = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")

# A package's name as the file has it, and what would be asked of a package index for it (PEP 508); "" where that is
# nothing: it is for another language, comes from elsewhere, or only builds the project.
_Named = tuple[str, str]


def declares(path: str) -> bool:
    """Whether a file of this name may declare packages."""
    name = path.rpartition("/")[2]
    return name in ("pyproject.toml", "package.json") or bool(
        _REQUIREMENTS.fullmatch(path) or _CONSTRAINTS.fullmatch(path)
    )


def before(path: str, tree: Tree) -> bytes | None:
    """What a file held before the change, None where it did not exist or is none that can be read."""
    try:
        return tree.read(path) if tree.exists(path) else None
    except (OSError, UnsafePath):
        return None


def added(path: str, before: bytes | None, after: bytes | None) -> tuple[str, ...]:
    """The packages that the file names after the change and did not before, sorted. A file that can't
    be read any more counts as if it named nothing, and one that could not be read before as if it had named nothing."""
    known = declared(path, before or b"")
    return tuple(name for name in declared(path, after or b"") if name not in known)


def newly_wanted(path: str, before: bytes | None, after: bytes | None) -> tuple[str, ...]:
    """What would be asked of a package index after the change and not before it: new packages, and other versions."""
    known = declared(path, before or b"").values()
    return tuple(wanted for wanted in declared(path, after or b"").values() if wanted and wanted not in known)


def declared(path: str, content: bytes) -> dict[str, str]:
    """The packages that a file declares, by their names as they are compared (PEP 503), sorted; none when it is no such
    file. Each with what would be asked of a package index for it (PEP 508), `numpy>=2` say, or "" for what can't be had
    there."""
    name = path.rpartition("/")[2]
    text = content.decode("utf-8", "replace")
    try:
        if name == "pyproject.toml":
            return _by_name(_of_pyproject(tomllib.loads(text)))
        if name == "package.json":
            return dict.fromkeys(sorted(_of_package_json(json.loads(text))), "")
    except (ValueError, RecursionError):
        return {}
    if _REQUIREMENTS.fullmatch(path):
        return _by_name(_of_lines(text))
    if _CONSTRAINTS.fullmatch(path):
        return _by_name((named, "") for named, _ in _of_lines(text))
    return {}


def _by_name(found: Iterator[_Named]) -> dict[str, str]:
    by_name: dict[str, str] = {}
    for name, wanted in found:
        normal = re.sub(r"[-_.]+", "-", name).lower()
        by_name[normal] = by_name.get(normal) or wanted
    return dict(sorted(by_name.items()))


def _of_lines(text: str) -> Iterator[_Named]:
    for whole in text.splitlines():
        line = whole.partition(" #")[0].strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("-"):
            option, _, value = line.partition(" ")
            # Another file, or a place: it may bring anything, so it counts as a name of its own.
            if option in ("-r", "-e", "--requirement", "--editable"):
                yield value.strip(), ""
            continue
        found = _NAME.match(line)
        if found is None or "://" in line.partition("@")[0]:
            yield line, ""
        else:
            yield found[1], _of_an_index(line.partition(" --")[0])


def _of_pyproject(data: dict[str, Any]) -> Iterator[_Named]:
    project = _table(data, "project")
    yield from _strings(project.get("dependencies"))
    for group in (*_table(project, "optional-dependencies").values(), *_table(data, "dependency-groups").values()):
        yield from _strings(group)
    yield from ((name, "") for name, _ in _strings(_table(data, "build-system").get("requires")))
    poetry = _table(_table(data, "tool"), "poetry")
    tables = [poetry, *(each for each in _table(poetry, "group").values() if isinstance(each, dict))]
    for table in tables:
        for key in ("dependencies", "dev-dependencies"):
            said = _table(table, key)
            yield from ((name, _of_poetry(name, said[name])) for name in said if name.lower() != "python")


def _of_package_json(data: object) -> Iterator[str]:
    if isinstance(data, dict):
        for key in _PACKAGE_JSON:
            yield from _table(data, key)


def _table(data: dict[str, Any], key: str) -> dict[str, Any]:
    found = data.get(key)
    return found if isinstance(found, dict) else {}


def _strings(value: object) -> Iterator[_Named]:
    for each in value if isinstance(value, list) else ():
        found = _NAME.match(each) if isinstance(each, str) else None
        if found:
            yield found[1], _of_an_index(each)


def _of_an_index(line: str) -> str:
    return "" if "@" in line.partition(";")[0] else line.strip()


def _of_poetry(name: str, said: object) -> str:
    """Poetry's own `^1.2` and `~1.2` (python-poetry.org/docs/dependency-specification) as PEP 440 has them. The lower
    bound alone stands for what else may be said of a version: a newer one is then taken, and not refused."""
    if isinstance(said, dict):
        if not isinstance(said.get("version"), str):
            return ""
        extras = [each for each in said.get("extras") or () if isinstance(each, str)]
        name, said = (f"{name}[{','.join(extras)}]" if extras else name), said["version"]
    if not isinstance(said, str):
        return ""
    version = said.strip()
    if version in ("", "*"):
        return name
    if number := re.fullmatch(r"([\^~])\s*(\d+(?:\.\d+)*)", version):
        return f"{name}>={number[2]},<{_next(number[2], caret=number[1] == '^')}"
    return f"{name}=={version}" if version[0].isdigit() else f"{name}{version}"


def _next(version: str, *, caret: bool) -> str:
    """The first version that is not compatible any more: `^` keeps the first number that is not 0, `~` the minor."""
    numbers = [int(each) for each in version.split(".")]
    if caret:
        kept = next((place for place, number in enumerate(numbers) if number), len(numbers) - 1)
    else:
        kept = min(1, len(numbers) - 1)
    return ".".join(map(str, [*numbers[:kept], numbers[kept] + 1]))
