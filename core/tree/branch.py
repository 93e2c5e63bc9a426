"""The branch that is checked out, read from git's own file: nothing of git is run for it."""

from __future__ import annotations

import os
from pathlib import Path

from treadle.core.tree.git_files import named_in, said_in

_REF = "ref: refs/heads/"


def branch_of(root: Path) -> str:
    """The name of the branch, a commit's first digits where none is checked out, "" where there is no repository. It is
    text that came with the repository."""
    for folder in (root, *root.parents):
        if os.path.lexists(folder / ".git"):
            return _named(_first_line(_git_folder(folder / ".git") / "HEAD"))
    return ""


def _git_folder(place: Path) -> Path:
    """Where a worktree or a submodule keeps what belongs to it, its `.git` file says."""
    return place if place.is_dir() else named_in(place, b"gitdir:") or place


def _named(head: str) -> str:
    return head.removeprefix(_REF) if head.startswith(_REF) else head[:8]


def _first_line(file: Path) -> str:
    return said_in(file).decode("utf-8", "replace").partition("\n")[0].strip()
