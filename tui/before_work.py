"""What is said and done before a session goes to work on the person's files: the same for a command and the screen."""

from __future__ import annotations

from collections.abc import Callable

from treadle.core.project import Project
from treadle.tui.commands.options import show_notice
from treadle.tui.half_applied import settle_half_applied
from treadle.tui.no_project import tell_if_no_project


def look_after_files(project: Project, tell: Callable[[str], None] = show_notice, *, begins: bool = False) -> None:
    """Bring what is half applied to its end, and where a session `begins`, say if the folder is no project; `tell`
    takes what the person must know. Raises `PatchConflict` where somebody has changed what is half applied."""
    settle_half_applied(project, tell)
    if begins:
        tell_if_no_project(project.root, tell)
