"""Reading the files in which Python and JavaScript projects say which packages they need."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from treadle.core import ini_text, toml_text

_NAME = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)")
# With hashes there is a backslash behind each requirement. A comment is not continued, or it could hide the next line.
_CONTINUED = re.compile(r"^(?!(?:[^\n]*[ \t])?#)([^\n]*)\\\r?\n", re.MULTILINE)
_PACKAGE_JSON = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")


class Named(msgspec.Struct, frozen=True):
    """A package as a file has it. `wanted` is what would be asked of a package index for it (PEP 508), empty where that
    is nothing: it is for another language, comes from elsewhere, or only builds the project. `place` is where it comes
    from when that is no index."""

    name: str
    wanted: str = ""
    place: str = ""


Reader = Callable[[str], Iterator[Named]]
"""Raises `ValueError`, `SyntaxError`, `configparser.Error` or `RecursionError` for a text that can't be read."""


def reader_of(path: str) -> Reader | None:
    """What reads a file of this name, None when it declares no packages."""
    name = path.rpartition("/")[2]
    by_name: dict[str, Reader] = {
        "pyproject.toml": lambda text: _of_pyproject(toml_text.loads(text)),
        "Pipfile": lambda text: _of_pipfile(toml_text.loads(text)),
        "setup.cfg": _of_setup_cfg,
        "setup.py": _of_setup_py,
        "environment.yml": _of_conda,
        "environment.yaml": _of_conda,
        "package.json": lambda text: _of_package_json(json.loads(text)),
    }
    if name in by_name:
        return by_name[name]
    if re.fullmatch(r"(?:.*/)?(?:requirements[^/]*|requirements/[^/]+)\.(?:txt|in)", path):
        return _of_requirements
    if re.fullmatch(r"(?:.*/)?constraints[^/]*\.(?:txt|in)", path):
        return lambda text: (Named(each.name, place=each.place) for each in _of_requirements(text))
    return None


def _requirement(text: str) -> Named | None:
    found = _NAME.match(text)
    if found is None:
        return None
    asked, at, place = text.partition(";")[0].partition("@")
    # An address alone has its `@`, if any, behind its scheme.
    if "://" in asked:
        return Named(text.strip(), place=text.strip())
    return Named(found[1], place=place.strip()) if at else Named(found[1], wanted=text.strip())


def _of_requirements(text: str) -> Iterator[Named]:
    for whole in _CONTINUED.sub(r"\1 ", text).splitlines():
        line = re.split(r"(?:^|\s)#", whole)[0].strip()
        if not line or line.startswith("--hash"):
            continue
        # An option may bring another file, or another index, and with it anything: it counts as a name of its own.
        found = None if line.startswith("-") else _requirement(re.split(r"\s--", line)[0])
        yield found or Named(line, place=line)


def _of_pyproject(data: dict[str, Any]) -> Iterator[Named]:
    project, tool = _table(data, "project"), _table(data, "tool")
    yield from _strings(project.get("dependencies"))
    for table in (_table(project, "optional-dependencies"), _table(data, "dependency-groups")):
        for group in table.values():
            yield from _strings(group)
    yield from (Named(each.name, place=each.place) for each in _strings(_table(data, "build-system").get("requires")))
    for group in _table(_table(tool, "pdm"), "dev-dependencies").values():
        yield from _strings(group)
    uv = _table(tool, "uv")
    yield from _strings(uv.get("dev-dependencies"))
    # Where a package is taken from that another table names.
    for name, place in _table(uv, "sources").items():
        yield Named(f"{name} from elsewhere", place=json.dumps(place, sort_keys=True, default=str))
    poetry = _table(tool, "poetry")
    tables = [poetry, *(each for each in _table(poetry, "group").values() if isinstance(each, dict))]
    for table in tables:
        for key in ("dependencies", "dev-dependencies"):
            yield from (_by_table(name, said) for name, said in _table(table, key).items() if name.lower() != "python")


def _of_pipfile(data: dict[str, Any]) -> Iterator[Named]:
    for key in ("packages", "dev-packages"):
        yield from (_by_table(name, said) for name, said in _table(data, key).items())


def _of_setup_cfg(text: str) -> Iterator[Named]:
    parser = ini_text.parsed(text, strict=True)
    lists = [parser.get("options", key, fallback="") for key in ("install_requires", "tests_require")]
    if parser.has_section("options.extras_require"):
        lists += [value for _, value in parser.items("options.extras_require")]
    for each in lists:
        yield from _strings(each.replace(";\n", "\n").splitlines())
    for each in _strings(parser.get("options", "setup_requires", fallback="").splitlines()):
        yield Named(each.name, place=each.place)


def _of_setup_py(text: str) -> Iterator[Named]:
    """What stands there word for word; what the file computes is known only when it runs."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg in ("install_requires", "extras_require", "tests_require"):
            lists = (each for each in ast.walk(node.value) if isinstance(each, ast.List | ast.Tuple))
            texts = (item.value for each in lists for item in each.elts if isinstance(item, ast.Constant))
            yield from _strings(list(texts))


def _of_conda(text: str) -> Iterator[Named]:
    """The items of its lists: those that pip is to install look like the others, and there is no need to tell them
    apart."""
    for line in text.splitlines():
        item = line.partition("#")[0].strip()
        found = re.fullmatch(r"-\s+([^\s:][^:]*)", item)
        if found and (named := _requirement(found[1])):
            yield Named(named.name, place=named.place)


def _of_package_json(data: object) -> Iterator[Named]:
    for key in _PACKAGE_JSON if isinstance(data, dict) else ():
        for name, version in _table(data, key).items():  # type: ignore[arg-type]
            elsewhere = isinstance(version, str) and re.search(r"[:/]", version)
            yield Named(name, place=str(version) if elsewhere else "")


def _table(data: dict[str, Any], key: str) -> dict[str, Any]:
    found = data.get(key)
    return found if isinstance(found, dict) else {}


def _strings(value: object) -> Iterator[Named]:
    for each in value if isinstance(value, list) else ():
        found = _requirement(each) if isinstance(each, str) else None
        if found:
            yield found


def _by_table(name: str, said: object) -> Named:
    """As Poetry and Pipenv name packages: a version, or a table with one, or with a place. Poetry's own `^1.2` and
    `~1.2` (python-poetry.org/docs/dependency-specification) are taken for what they are in PEP 440."""
    extras: list[str] = []
    if isinstance(said, dict):
        named = said.get("extras")
        extras = [each for each in named if isinstance(each, str)] if isinstance(named, list) else []
        place = {key: value for key, value in said.items() if key in ("git", "path", "url", "file", "source")}
        if place or not isinstance(said.get("version"), str):
            return Named(name, place=json.dumps(place, sort_keys=True, default=str))
        said = said["version"]
    if not isinstance(said, str):
        return Named(name)
    asked, version = f"{name}[{','.join(extras)}]" if extras else name, said.strip()
    if version in ("", "*"):
        return Named(name, wanted=asked)
    if number := re.fullmatch(r"([\^~])\s*(\d+(?:\.\d+)*)", version):
        return Named(name, wanted=f"{asked}>={number[2]},<{_next(number[2], caret=number[1] == '^')}")
    return Named(name, wanted=f"{asked}=={version}" if version[0].isdigit() else f"{asked}{version}")


def _next(version: str, *, caret: bool) -> str:
    """The first version that is not compatible any more: `^` keeps the first number that is not 0, `~` the minor."""
    numbers = [int(each) for each in version.split(".")]
    if caret:
        kept = next((place for place, number in enumerate(numbers) if number), len(numbers) - 1)
    else:
        kept = min(1, len(numbers) - 1)
    return ".".join(map(str, [*numbers[:kept], numbers[kept] + 1]))
