"""What is said where somebody lets Treadle loose on a folder that is no project: their home, or a whole disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from treadle.core.tree.listing import MOST_UNMARKED, is_listed_in_part
from treadle.tui.commands.options import show_notice


def tell_if_no_project(folder: Path, tell: Callable[[str], None] = show_notice) -> None:
    """Tell so, and that only a part of it is looked at."""
    if is_listed_in_part(folder):
        tell(
            f"{folder} is no project: it has no .git, pyproject.toml or the like. Only the {MOST_UNMARKED:,} files "
            "nearest to its top are looked at; `treadle -C FOLDER` works in another folder, and an empty folder named "
            ".treadle marks one as a project"
        )
