"""The project's files as the search reads them."""

from __future__ import annotations

import ast

from treadle.core.errors import UnsafePath
from treadle.core.tree.workspace import Tree
from treadle.plugins.generation.search.source import SourceFile, load

LARGEST_FILE = 1_000_000


def read_source(tree: Tree, path: str) -> SourceFile | None:
    """One source file, None when it is missing, too large, or can't be parsed and written back unchanged. A link is
    followed inside the project: the file that it leads to is the one that a patch can change."""
    try:
        path = tree.real_name(path)
        content = tree.read(path)
    except (OSError, UnsafePath):
        return None
    return load(path, content) if len(content) <= LARGEST_FILE else None


def imported_files(tree: Tree, importer: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the known files that a file imports, by the names in its import statements."""
    file = read_source(tree, importer)
    if file is None:
        return ()
    modules: dict[str, None] = {}
    for node in ast.walk(file.tree):
        if isinstance(node, ast.Import):
            modules.update(dict.fromkeys(a.name for a in node.names))
        elif isinstance(node, ast.ImportFrom):
            inside = f"{node.module}." if node.module else ""
            modules.update(dict.fromkeys((node.module,) if node.module else ()))
            modules.update(dict.fromkeys(inside + a.name for a in node.names))
    found: dict[str, None] = {}
    for module in modules:
        stem = module.replace(".", "/")
        for path in known:
            if any(path == end or path.endswith("/" + end) for end in (f"{stem}.py", f"{stem}/__init__.py")):
                found.setdefault(path)
    return tuple(found)
