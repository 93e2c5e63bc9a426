"""Which lines are open: what a person has opened or closed, and else what the policy says."""

from __future__ import annotations

from treadle.core.config.screen_settings import Opens
from treadle.tui.story.line import Line

_DETAILS = ("detail", "event", "model", "run")


class Openings:
    """`policy` says what opens by itself: nothing but the outline, what failed or waits, or all stages."""

    def __init__(self, policy: Opens = "on failure") -> None:
        self.policy = policy
        self._chosen: dict[str, bool] = {}
        self._all = False

    def is_open(self, line: Line) -> bool:
        """Whether it is open."""
        chosen = self._chosen.get(line.key)
        if chosen is not None:
            return chosen
        if line.kind in ("task", "choice"):
            return True
        if line.kind in _DETAILS:
            return self._all and line.kind != "detail"
        if self._all or self.policy == "always":
            return True
        if self.policy == "never":
            return False
        if line.kind == "attempt":
            return line.state in ("running", "waits")
        return line.state in ("waits", "failed") and line.kind == "question"

    def turn(self, line: Line, opened: bool | None = None) -> None:
        """Open or close it; None: the other of what it is."""
        if line.opens:
            self._chosen[line.key] = not self.is_open(line) if opened is None else opened
            if not self._chosen[line.key]:
                line.read_again()

    def turn_all(self) -> None:
        """Open all stages, or leave it to the policy again."""
        self._all = not self._all
        self._chosen.clear()
