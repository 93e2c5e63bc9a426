"""A change as a model is shown it: its diff, cut where it is very long."""

from __future__ import annotations

import msgspec

from treadle.core.one_line import printable
from treadle.core.patches.patch import Patch, unified_diff
from treadle.core.records import Candidate, Workspace
from treadle.core.tree.workspace import Tree
from treadle.plugins.agents.fenced import fenced
from treadle.plugins.agents.hidden import why_hidden
from treadle.plugins.agents.tools.capped import capped

MOST = 40_000
"""Characters: some 10,000 tokens."""


def diff_shown(title: str, candidate: Candidate, workspace: Workspace) -> str:
    """The section with the candidate's diff, in Markdown; of hidden files it has the names only."""
    files = tuple(change for change in candidate.files if not why_hidden(change.path))
    diff = unified_diff(Patch.of(msgspec.structs.replace(candidate, files=files)), Tree(workspace))
    shown = capped("\n".join(map(printable, diff.splitlines())), "read these files", MOST)
    parts = [f"## {title}", f"Whoever made it says: {' '.join(candidate.why.split())}", fenced("diff", shown)]
    if hidden := [change.path for change in candidate.files if change not in files]:
        parts.append(f"It changes these files as well, which no model is shown: {', '.join(hidden)}")
    return "\n\n".join(parts)
