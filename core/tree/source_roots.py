"""Source roots: the folders of a project from which its own modules are imported, as its configuration says."""

from __future__ import annotations

import configparser
import shlex
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any, Protocol

from treadle.core import ini_text, toml_text
from treadle.core.errors import UnsafePath

_LARGEST = 1 << 20  # bytes of a file of settings
_MOST = 1_000  # folders that they name


class Reader(Protocol):
    """What is asked of a project: a `Tree` answers it."""

    def exists(self, relative: str) -> bool: ...

    def read(self, relative: str, most: int = -1) -> bytes: ...

    def has_python(self, folder: str) -> bool:
        """Whether a module or package lies directly in that folder."""
        ...


def source_roots(tree: Reader) -> tuple[str, ...]:
    """Relative folders, `.` for the project's own, the most specific first. They come from setuptools
    (`package-dir`, `packages.find.where`), poetry, hatch and pytest (`pythonpath`); a `src` folder that holds modules
    counts unasked. A configuration that can't be parsed says nothing."""
    found: dict[str, None] = {}
    told = islice(chain(_from_pyproject(tree), _from_ini(tree)), _MOST)
    for said in (*told, *(["src"] if tree.has_python("src") else [])):
        root = _normal(said)
        if root is not None and (root == "." or tree.exists(root)):
            found[root] = None
    return tuple(found) or (".",)


def _from_pyproject(tree: Reader) -> Iterator[str]:
    tool = _toml(tree, "pyproject.toml").get("tool", {})
    setuptools = _table(tool, "setuptools")
    yield from _package_dirs(_table(setuptools, "package-dir"))
    yield from _strings(_table(setuptools, "packages", "find").get("where"))
    packages = _table(tool, "poetry").get("packages")
    for package in packages if isinstance(packages, list) else ():
        if isinstance(package, dict):
            yield from _strings(package.get("from"))
    wheel = _table(tool, "hatch", "build", "targets", "wheel")
    yield from (parent for name in _strings(wheel.get("packages")) if (parent := name.rpartition("/")[0]))
    yield from _strings(wheel.get("sources"))
    pytest = _table(tool, "pytest", "ini_options") or _table(tool, "pytest")
    yield from _strings(pytest.get("pythonpath"))


def _from_ini(tree: Reader) -> Iterator[str]:
    for name, section in (("pytest.ini", "pytest"), ("tox.ini", "pytest"), ("setup.cfg", "tool:pytest")):
        yield from _split(_ini(tree, name).get(section, "pythonpath", fallback=""))
    setup = _ini(tree, "setup.cfg")
    pairs = (line.partition("=") for line in setup.get("options", "package_dir", fallback="").splitlines())
    yield from _package_dirs({key.strip(): value.strip() for key, equals, value in pairs if equals})
    yield from setup.get("options.packages.find", "where", fallback="").split()


def _package_dirs(table: dict[str, Any]) -> Iterator[str]:
    for package, folder in table.items():
        if not isinstance(folder, str):
            continue
        as_path = package.replace(".", "/")
        if not package:
            yield folder
        elif folder.strip("/").endswith("/" + as_path):
            yield folder.strip("/").removesuffix(as_path)


def _normal(folder: str) -> str | None:
    parts = [part for part in folder.replace("\\", "/").split("/") if part not in ("", ".")]
    return None if folder.startswith(("/", "~")) or ".." in parts or "\0" in folder else "/".join(parts) or "."


def _table(value: Any, *keys: str) -> dict[str, Any]:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return _split(value)
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _toml(tree: Reader, name: str) -> dict[str, Any]:
    try:
        return toml_text.loads(_read(tree, name).decode())
    except (ValueError, RecursionError):
        return {}


def _ini(tree: Reader, name: str) -> configparser.RawConfigParser:
    try:
        return ini_text.parsed(_read(tree, name).decode(errors="replace"))
    except configparser.Error:
        return configparser.RawConfigParser()


def _split(text: str) -> list[str]:
    """The words of a line, none of one whose quotes don't match."""
    try:
        return shlex.split(text)
    except ValueError:
        return []


def _read(tree: Reader, name: str) -> bytes:
    """The content of a file of settings, nothing where there is none that can be read, or a far larger one."""
    try:
        content = tree.read(name, _LARGEST + 1)
    except (OSError, UnsafePath):
        return b""
    return content if len(content) <= _LARGEST else b""
