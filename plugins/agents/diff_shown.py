"""A change as a model is shown it: its diff, cut where it is very long."""

from __future__ import annotations

import msgspec

from treadle.core.patches.patch import Patch, unified_diff
from treadle.core.records import Candidate, Workspace
from treadle.core.redaction import valid_text
from treadle.core.replies.file_text import as_shown, decoded
from treadle.core.tree.hidden_names import why_hidden
from treadle.core.tree.workspace import Tree
from treadle.plugins.agents.fenced import fenced
from treadle.plugins.agents.tools.capped import capped

MOST = 40_000
"""Characters: some 10,000 tokens."""


class _ShownTree(Tree):
    """A project in which secrets are taken out of whole files: a part of one has no shape by which it is known."""

    def read(self, relative: str, most: int = -1) -> bytes:
        return _shown(relative, super().read(relative, most)) or b""


def _shown(path: str, content: bytes | None) -> bytes | None:
    if content is None or b"\0" in content:
        return content
    # With the line endings that it has: a change of them is one to be seen.
    return as_shown(decoded(path, content)).encode()


def diff_shown(title: str, candidate: Candidate, workspace: Workspace) -> str:
    """The section with the candidate's diff, in Markdown; of hidden files it has the names only."""
    files = tuple(change for change in candidate.files if not why_hidden(change.path))
    fit = tuple(msgspec.structs.replace(change, content=_shown(change.path, change.content)) for change in files)
    diff = unified_diff(Patch.of(msgspec.structs.replace(candidate, files=fit)), _ShownTree(workspace))
    shown = capped(valid_text(diff), "read these files", MOST)
    parts = [f"## {title}", f"Whoever made it says: {' '.join(candidate.why.split())}", fenced("diff", shown)]
    if hidden := [change.path for change in candidate.files if change not in files]:
        parts.append(f"It changes these files as well, which no model is shown: {', '.join(hidden)}")
    return "\n\n".join(parts)
