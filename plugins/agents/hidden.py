"""What no model is shown of a project (`core.tree.hidden_names`): neither listed, nor read, nor changed."""

from __future__ import annotations

from collections.abc import Iterable

from treadle.core.errors import UnsafePath, UnsafeReply
from treadle.core.tree.hidden_names import why_hidden
from treadle.core.tree.workspace import Tree


def refuse_hidden(path: str) -> None:
    """Raise `UnsafeReply`, in words for a model, when it may not be shown that file."""
    if why := why_hidden(path):
        raise UnsafeReply(
            f"{path} is hidden: {why}. It can be neither looked at nor changed here; tell the person what it should "
            "hold, and work on the other files"
        )


def visible(paths: Iterable[str]) -> tuple[str, ...]:
    """Those of the files that a model may be shown."""
    return tuple(path for path in paths if not why_hidden(path))


def read_visible(tree: Tree, path: str, most: int) -> bytes:
    """The first `most` bytes of a file. Raises `OSError` and `UnsafePath` as `Tree.read`, the latter as well when a
    link leads to a hidden file."""
    if why := why_hidden(path) or why_hidden(tree.real_name(path)):
        raise UnsafePath(f"{path} is hidden: {why}")
    return tree.read(path, most)
