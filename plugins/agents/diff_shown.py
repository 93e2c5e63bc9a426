"""A change as a model is shown it: its diff, cut where it is very long."""

from __future__ import annotations

from treadle.core.one_line import printable
from treadle.core.patches.patch import Patch, unified_diff
from treadle.core.records import Candidate, Workspace
from treadle.core.tree.workspace import Tree
from treadle.plugins.agents.tools.capped import capped

MOST = 40_000
"""Characters: some 10,000 tokens."""


def diff_shown(title: str, candidate: Candidate, workspace: Workspace) -> str:
    """The section with the candidate's diff, in Markdown."""
    diff = unified_diff(Patch.of(candidate), Tree(workspace))
    shown = capped("\n".join(map(printable, diff.splitlines())), "read these files", MOST)
    fence = "~" * 3
    while fence in shown:
        fence += "~"
    return f"## {title}\n\nWhoever made it says: {' '.join(candidate.why.split())}\n\n{fence}diff\n{shown}\n{fence}"
