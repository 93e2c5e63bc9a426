"""The project's files as the search reads them."""

from __future__ import annotations

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
