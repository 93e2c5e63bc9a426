"""How long a conversation has only looked: each time at something else, so that no call repeats, and nothing comes of
it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from treadle.core.models.messages import ToolCall, ToolResult
from treadle.plugins.agents.tools import finding, more_tools, reading, skills

TOLD_AFTER = 20
"""Turns, one after the other, after which the model is told; a careful one has looked at a large project by then."""
ENDED_AFTER = 30
_LOOKS = frozenset(
    {
        *(tool.name for tool in (reading.OUTLINE, reading.READ, finding.LIST, finding.SEARCH, skills.SEARCH_SKILLS)),
        more_tools.NAME,
    }
)
_TOLD = (
    f"(For {TOLD_AFTER} turns you have only looked, and nothing was done. Do your work now, with what you know, or end "
    f"it: {ENDED_AFTER - TOLD_AFTER} more such turns end it.)"
)


class OnlyLooking:
    """The turns of one conversation in which nothing was done but looking, since the last in which something was."""

    def __init__(self) -> None:
        self._turns = 0

    @property
    def too_long(self) -> bool:
        """Whether nothing will come of it any more."""
        return self._turns >= ENDED_AFTER

    def after(self, calls: Sequence[ToolCall], results: tuple[ToolResult, ...]) -> tuple[ToolResult, ...]:
        """The results of one more turn, with a word to the model when it is time."""
        is_work = any(
            call.name not in _LOOKS and not result.failed for call, result in zip(calls, results, strict=True)
        )
        self._turns = 0 if is_work else self._turns + 1
        if self._turns != TOLD_AFTER:
            return results
        last = msgspec.structs.replace(results[-1], text=f"{results[-1].text}\n{_TOLD}")
        return (*results[:-1], last)
