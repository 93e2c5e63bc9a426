"""What a project declares to depend on, and which modules are its own."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from treadle_undeclared.spelling import normal

_MOST_FILES = 20_000
_NAME = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)")


def declared(project: Path) -> set[str]:
    """The distributions, by their normal names: of pyproject.toml all that is required anywhere, and of each
    `requirements*.txt` in the project's own folder or one called `requirements`."""
    lines = [*_of_pyproject(project / "pyproject.toml")]
    for file in (*project.glob("requirements*.txt"), *project.glob("requirements/*.txt")):
        lines += _read(file).splitlines()
    return {normal(match[1]) for line in lines if (match := _NAME.match(line))}


def modules_in(project: Path) -> set[str]:
    """The name of every module and package that lies anywhere in the project, and not in a hidden folder or in an
    environment. It is too much rather than too little: tests import what lies beside them."""
    found: set[str] = set()
    seen = 0
    for _, folders, files in os.walk(project):
        if "pyvenv.cfg" in files:
            folders.clear()
            continue
        folders[:] = [name for name in folders if not name.startswith(".") and name != "node_modules"]
        found.update(folders)
        found.update(name.partition(".")[0] for name in files if name.endswith((".py", ".pyi", ".so", ".pyd")))
        seen += len(files)
        if seen > _MOST_FILES:
            break
    return found


def _of_pyproject(file: Path) -> Iterator[str]:
    try:
        document = tomllib.loads(_read(file))
    except tomllib.TOMLDecodeError:
        return
    project = _table(document, "project")
    yield str(project.get("name", ""))
    yield from _texts(project.get("dependencies"))
    for lines in (*_table(project, "optional-dependencies").values(), *_table(document, "dependency-groups").values()):
        yield from _texts(lines)
    poetry = _table(_table(document, "tool"), "poetry")
    for table in (poetry, *_table(poetry, "group").values()):
        yield from _table(table, "dependencies")


def _table(document: Any, name: str) -> dict[str, Any]:
    inner = document.get(name) if isinstance(document, dict) else None
    return inner if isinstance(inner, dict) else {}


def _texts(lines: Any) -> list[str]:
    return [line for line in lines if isinstance(line, str)] if isinstance(lines, list) else []


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
