"""Files that git ignores: no part of the project."""

from __future__ import annotations

import os
from collections.abc import Collection

from treadle.core.errors import WorkspaceError
from treadle.core.tree.git import GitView


def ignored_in(project: str | os.PathLike[str]) -> tuple[str, ...]:
    """The files that git ignores in the project, a folder that is ignored as a whole as one name that ends in `/`.
    None are where there is no repository that git reads."""
    try:
        view = GitView.open(project)
        return view.ignored() if view else ()
    except WorkspaceError:
        return ()


def is_ignored(path: str, ignored: Collection[str]) -> bool:
    """Whether the file is one of those, or lies in a folder of them."""
    parts = path.split("/")
    return path in ignored or any("/".join(parts[:depth]) + "/" in ignored for depth in range(1, len(parts)))
