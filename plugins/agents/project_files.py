"""The files of a project on the disk, as a model may open them: what is hidden from models, or ignored by git, it may
not, nor what lies behind a link that leads out of the project.

Every method raises `ReplyError`, in words for the model, and `UnsafeReply`, which is one, for what is refused.
"""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path

from treadle.core import paths
from treadle.core.errors import ReplyError, UnsafePath, UnsafeReply
from treadle.core.records import Task, Workspace
from treadle.core.replies.file_names import safe_name
from treadle.core.tree.ignored import ignored_in, is_ignored
from treadle.core.tree.reading import read_regular
from treadle.core.tree.workspace import Tree
from treadle.plugins.agents.hidden import refuse_hidden, visible
from treadle.plugins.agents.ignored import is_named, refuse_ignored

LARGEST_FILE = 4_000_000
"""Bytes: a larger file is neither read nor written; a model could not see a tenth of it."""


class ProjectFiles:
    """Those of one workspace. The list is made once. Of the files that git ignores those alone are opened which the
    `task` names."""

    def __init__(self, workspace: Workspace, task: Task | None) -> None:
        self._workspace = workspace
        self._task = task
        self._root = Path(workspace.root).resolve()
        self._disk = Tree(workspace)

    @cached_property
    def listed(self) -> tuple[str, ...]:
        """The names of those that are listed and may be shown."""
        return tuple(name for name in visible(self._disk.files) if _may_be_named(name))

    def real_name(self, path: str) -> str:
        """The name of the file that is meant, links followed, which may be opened."""
        try:
            real = self._disk.real_name(path)
        except UnsafePath:
            raise UnsafeReply(f"{path} is refused: a link leads from it out of the project, or to itself") from None
        except OSError as error:
            raise ReplyError(f"{path} can't be looked at: {error.strerror}") from None
        if real != path:
            real = safe_name(real)
            refuse_hidden(real)
        if self._is_left_out(real) and not self._is_named(path, real):
            refuse_ignored(path)
        return real

    def read(self, path: str, most: int = LARGEST_FILE + 1) -> bytes | None:
        """The first `most` bytes of a file by its real name; None where there is none."""
        try:
            content = read_regular(self._root, path, most)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except UnsafePath:
            what = "is a folder" if self.is_folder(path) else "is no regular file"
            raise ReplyError(f"{path} {what}: name a file") from None
        except OSError as error:
            raise ReplyError(f"{path} can't be read: {error.strerror}") from None
        if len(content) > LARGEST_FILE:
            raise ReplyError(f"{path} has more than {LARGEST_FILE} bytes, which is more than can be read")
        return content

    def executable(self, path: str) -> bool:
        """Whether the file may be executed by its owner."""
        return self._disk.executable(path)

    def is_folder(self, path: str) -> bool:
        """Whether there is a folder of that name."""
        # Path.is_dir would raise for a name that is too long.
        return os.path.isdir(paths.on_disk(self._root, path))  # noqa: PTH112

    def is_no_folder(self, path: str) -> bool:
        """Whether something else is there, such as a file."""
        return os.path.lexists(paths.on_disk(self._root, path)) and not self.is_folder(path)

    @cached_property
    def _on_list(self) -> frozenset[str]:
        return frozenset(self._disk.files)

    @cached_property
    def _ignored(self) -> frozenset[str]:
        return frozenset(ignored_in(self._workspace.project))

    def _is_left_out(self, path: str) -> bool:
        """Whether git ignores the file, which is there."""
        return path not in self._on_list and self.is_no_folder(path) and is_ignored(path, self._ignored)

    def _is_named(self, *names: str) -> bool:
        return self._task is not None and any(is_named(name, self._task) for name in names)


def _may_be_named(name: str) -> bool:
    try:
        return safe_name(name) == name
    except ReplyError:
        return False
