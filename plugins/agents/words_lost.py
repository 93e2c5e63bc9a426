"""What of a draft is noted that only people read, and that nobody has said is to go."""

from __future__ import annotations

import re

from treadle.core.losses_of_words import lost_words
from treadle.core.paths import shown
from treadle.core.records import Plan, Task
from treadle.core.tree.sources import is_python
from treadle.plugins.agents.draft import Draft

_SPOKEN_OF = re.compile(r"docstring|comment|licen[cs]e|header|documentation|\bdocs?\b", re.IGNORECASE)
_MOST_FILES = 3


def words_lost(draft: Draft, task: Task, plan: Plan) -> str:
    """Those of the first few files in a line; empty for none, and where the task or the plan speaks of the like."""
    if any(_SPOKEN_OF.search(text) for text in (task.text, *plan.steps)):
        return ""
    lost = [
        f"{shown(change.path)}: {', '.join(gone)}"
        for change in draft.changes()
        if change.content and is_python(change.path) and (text := draft.at_first(change.path))
        if (gone := tuple(lost_words(text.decode("utf-8", "replace"), change.content.decode("utf-8", "replace"))))
    ]
    return "; ".join(lost[:_MOST_FILES])
