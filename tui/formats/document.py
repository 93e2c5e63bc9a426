"""The verdict of a check in the form that a program has asked for."""

from __future__ import annotations

from pathlib import Path

from treadle.core.contributions import ScanRule
from treadle.core.errors import WorkspaceError
from treadle.core.paths import relative_to
from treadle.core.project import Project
from treadle.core.records import Outcome
from treadle.core.tree.git import GitView
from treadle.tui.formats.complaints import complaints_of
from treadle.tui.formats.github import github
from treadle.tui.formats.sarif import sarif
from treadle.tui.result import Result
from treadle.tui.run_session import Document

FORMATS = ("text", "json", "sarif", "github")
"""Of which every command knows the first two."""


def document(project: Project, form: str | None) -> Document | None:
    """What writes the verdict in that format, None for text and JSON."""
    if form not in ("sarif", "github"):
        return None

    def written(result: Result, outcome: Outcome | None) -> str:
        folder = _folder_in_repository(project.root)
        complaints = complaints_of(outcome, folder) if outcome is not None else ()
        if form == "github":
            return github(result, complaints)
        rules = (each for each in project.plugins.brought.of_kind("scan rule") if isinstance(each, ScanRule))
        first = next(iter(result.files), "")
        about = f"{folder}/{first}" if folder and first else first
        return sarif(result, complaints, {rule.name: rule for rule in rules}, about)

    return written


def _folder_in_repository(root: Path) -> str:
    """The project's folder in its repository, whose names those know who read these forms; empty for its top."""
    try:
        view = GitView.open(root)
    except WorkspaceError:
        return ""
    below = relative_to(view.toplevel, root) if view is not None else "."
    return "" if below == "." else below
