"""Files that git ignores (`core.tree.ignored`): no model looks at them unless the person names them.

What is listed and searched leaves them out by itself; here is what is asked before one is opened by its name.
"""

from __future__ import annotations

import re

from treadle.core.errors import UnsafeReply
from treadle.core.paths import decode
from treadle.core.records import Task


def is_named(path: str, task: Task) -> bool:
    """Whether the person has named the file: by `--file`, it or a folder above it, or in the words of the task, by its
    whole path or by the last part."""
    if any(path == place or path.startswith(f"{place}/") for place in task.files):
        return True
    whole = decode(path)
    names = "|".join(map(re.escape, (whole, whole.rpartition("/")[2])))
    return re.search(rf"(?<![\w./-])(?:\./)?(?:{names})(?![\w/-])", task.text) is not None


def refuse_ignored(path: str) -> None:
    """Raise `UnsafeReply` in words for a model."""
    raise UnsafeReply(
        f"{path} is ignored by git and no part of the project, so it is neither shown nor changed here: work with the "
        "project's own files, or ask the person to name it"
    )
