"""The files that a model without tools is shown whole, since it can't look for itself."""

from __future__ import annotations

from treadle.core.errors import ReplyError
from treadle.core.models.tokens import estimate
from treadle.core.records import GenerateRequest
from treadle.core.tree.workspace import Tree
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.fenced import fenced
from treadle.plugins.agents.repository.ranking import ranked

MOST_TOKENS = 8_000
MOST_FILES = 6


def shown_files(draft: Draft, request: GenerateRequest) -> str:
    """The files that are most likely to change, whole, as long as there is room: those of the plan and those that the
    person named, then by the task's words. What there was no room for is named."""
    lines = ["## Files as they are now"]
    left, left_out = MOST_TOKENS, []
    for path in likely_files(draft, request):
        try:
            text = draft.shown(path)
        except ReplyError:
            continue
        if estimate(text) > left:
            left_out.append(path)
            continue
        left -= estimate(text)
        lines.append(fenced(path, text))
    if left_out:
        lines.append(f"Not shown for want of room: {', '.join(left_out)}")
    return "\n".join(lines) if len(lines) > 1 else ""


def likely_files(draft: Draft, request: GenerateRequest) -> tuple[str, ...]:
    """Those of the change so far, of the plan, and of the person, then by the task's words."""
    tree = Tree(request.workspace, draft.changes())
    words = " ".join((request.task.text, *request.plan.steps))
    named = (*(change.path for change in draft.changes()), *request.plan.files, *request.task.files)
    return tuple(dict.fromkeys((*named, *ranked(tree, words, named=named))))[:MOST_FILES]
