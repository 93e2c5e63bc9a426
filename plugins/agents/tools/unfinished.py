"""Why the work of an agent that changes files may not be finished when it says so: it is told once, then believed."""

from __future__ import annotations

from collections.abc import Sequence

from treadle.core.models.messages import ToolResult
from treadle.core.paths import shown
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.files_in_text import held_otherwise

_LONGEST = 500
_NOTHING = (
    "nothing was changed: make the change now, by your tools. If nothing is to change, finish once more and say why"
)


class Unfinished:
    """What was changed in one conversation, as far as it tells whether it may be at its end."""

    def __init__(self) -> None:
        self._begun: str | None = None
        self._refused = ""
        self._why = ""
        self._told: set[str] = set()

    def begins(self, draft: Draft) -> None:
        """Before each call."""
        if self._begun is None:
            self._begun = draft.state

    def wrote(self, name: str, result: ToolResult) -> None:
        """After each call that should have changed something."""
        self._refused = f"your last {name} was refused" if result.failed else ""
        self._why = result.text

    def doubt(self, draft: Draft, summary: str, likely: Sequence[str]) -> str:
        """What the model must be told that finishes with this summary, in which code may stand of the `likely` files;
        "" when it is to be believed."""
        if self._refused:
            told = f"{self._refused}: {self._why[:_LONGEST].rstrip('.')}. Call it rightly, or finish once more as it is"
        elif names := held_otherwise(summary, draft, likely):
            told = (
                f"nothing is taken from a summary, and yours holds code that is not in {', '.join(map(shown, names))}: "
                "write it there by your tools, or finish once more without it"
            )
        else:
            told = _NOTHING if draft.state == self._begun else ""
        about = self._refused or told
        if about in self._told:
            return ""
        self._told.add(about)
        return told
