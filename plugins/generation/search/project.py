"""The project's files as the search reads them."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from pathlib import Path

from treadle.core.paths import encode, on_disk
from treadle.core.records import Workspace
from treadle.plugins.generation.search.source import SourceFile, load

_LARGEST_FILE = 1_000_000
_MOST_FILES = 5000
_SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__", "site-packages", "build", "dist", "venv", "env"})


def root_of(workspace: Workspace) -> Path:
    """Where the files lie that jobs see."""
    return Path(workspace.root if workspace.kind == "copy" else workspace.project)


def read_source(workspace: Workspace, path: str) -> SourceFile | None:
    """One source file, None when it is missing, too large, or can't be parsed and written back unchanged."""
    place = on_disk(root_of(workspace), path)
    try:
        if place.is_symlink() or not place.is_file() or place.stat().st_size > _LARGEST_FILE:
            return None
        content = place.read_bytes()
    except OSError:
        return None
    return load(path, content)


def python_files(workspace: Workspace) -> Iterator[str]:
    """The project's Python files in a fixed order, without environments and caches."""
    root = root_of(workspace)
    count = 0
    for folder, folders, files in os.walk(root):
        here = Path(folder)
        folders[:] = sorted(
            f
            for f in folders
            if not f.startswith(".") and f not in _SKIPPED_FOLDERS and not (here / f / "pyvenv.cfg").exists()
        )
        for name in sorted(files):
            if name.endswith(".py"):
                count += 1
                if count > _MOST_FILES:
                    return
                yield encode((here / name).relative_to(root).as_posix())


def imported_files(workspace: Workspace, importer: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the known files that a file imports, by the names in its import statements."""
    file = read_source(workspace, importer)
    if file is None:
        return ()
    modules: dict[str, None] = {}
    for node in ast.walk(file.tree):
        if isinstance(node, ast.Import):
            modules.update(dict.fromkeys(a.name for a in node.names))
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules.setdefault(node.module)
            modules.update(dict.fromkeys(f"{node.module}.{a.name}" for a in node.names))
    found: dict[str, None] = {}
    for module in modules:
        stem = module.replace(".", "/")
        for path in known:
            if any(path == end or path.endswith("/" + end) for end in (f"{stem}.py", f"{stem}/__init__.py")):
                found.setdefault(path)
    return tuple(found)
