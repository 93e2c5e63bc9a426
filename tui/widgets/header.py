"""The line at the top: where one is, what it costs, and whether the walls stand."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget

from treadle.core.counting import counted
from treadle.tui.durations import clock
from treadle.tui.safe_text import clean_line

_MACHINE_FROM = 130
"""Columns from which there is room to say how busy the machine is."""


@dataclass(frozen=True)
class Facts:
    """What the header says of the place. `limit_usd` and `limit_tokens` are what models may take in a session, None:
    there is no such budget. `machine` is how busy the machine is, `alerts` what of it is nearly used up."""

    project: str
    branch: str = ""
    limit_usd: float | None = None
    limit_tokens: int | None = None
    machine: str = ""
    alerts: tuple[str, ...] = ()


@dataclass(frozen=True)
class SessionFacts:
    """What it says of a session. `layers` None: nothing has run yet; `limit_usd` None: it has no budget of money of its
    own; `seconds` None: nothing is timed."""

    model: str = ""
    layers: tuple[str, ...] | None = None
    tokens: int = 0
    usd: float = 0.0
    limit_usd: float | None = None
    seconds: float | None = None


_NO_SESSION = SessionFacts()


class Header(Widget):
    """One row. What does not fit is left out, the least important first."""

    DEFAULT_CSS = "Header { dock: top; height: 1; background: $panel; color: $foreground; padding: 0 1; }"

    def __init__(self, facts: Facts) -> None:
        super().__init__()
        self.facts = facts
        self.session = _NO_SESSION

    def tell(self, facts: Facts) -> None:
        """Say this of the place from now on."""
        if facts != self.facts:
            self.facts = facts
            self.refresh()

    def tell_of(self, session: SessionFacts = _NO_SESSION) -> None:
        """Say this of the session from now on, by default: that there is none."""
        if session != self.session:
            self.session = session
            self.refresh()

    def limit(self, usd: float) -> None:
        """From now on models may cost so much in a session, also in the one that is shown if it goes on."""
        self.tell_of(replace(self.session, limit_usd=None))
        self.tell(replace(self.facts, limit_usd=usd))

    @property
    def budget(self) -> float | None:
        """What models may cost in the session, in dollars; None: there is no budget of money."""
        return self.session.limit_usd if self.session.limit_usd is not None else self.facts.limit_usd

    def render(self) -> Content:
        """The row, as wide as the screen."""
        width = self.content_size.width
        alerts = "  ".join(f"! {clean_line(alert)}" for alert in self.facts.alerts)
        room = width - (cell_len(alerts) + 2 if alerts else 0)
        left = _left(self.facts, self.session)
        right = _right(self.facts, self.session, self.budget, with_machine=width >= _MACHINE_FROM)
        while _length(left) + _length(right) + 3 > room and (len(left) > 2 or len(right) > 1):
            if len(left) <= 2 or right[:1] == [self.facts.machine]:
                right.pop(0)
            else:
                left.pop()  # the model, then the branch: what it costs and whether the walls stand matters more
        told = " · ".join(right)
        name = " · ".join(left)
        place = max(0, room - cell_len(told) - 1)
        if cell_len(name) > place:
            name = name[: max(0, place - 1)] + "…"
        gap = " " * max(1, room - cell_len(name) - cell_len(told))
        warned = Content.assemble((alerts, "bold $text-error"), "  ") if alerts else Content("")
        return Content.assemble((name, "bold"), gap, warned, told)


def _left(facts: Facts, session: SessionFacts) -> list[str]:
    return [clean_line(part) for part in ("treadle", facts.project, facts.branch, session.model) if part]


def _right(facts: Facts, session: SessionFacts, budget: float | None, *, with_machine: bool) -> list[str]:
    """The least important first."""
    parts = [facts.machine] if facts.machine and with_machine else []
    if session.layers is not None:
        parts.append(f"shield {counted(len(session.layers), 'layer')}" if session.layers else "no shield")
    if session.tokens:
        parts.append(f"{session.tokens / 1000:.1f}k tok" if session.tokens >= 1000 else f"{session.tokens} tok")
    if session.tokens or session.usd:
        limit = f" / ${budget:.2f}" if budget is not None else ""
        parts.append(f"${session.usd:.2f}{limit}")
    if session.seconds is not None:
        parts.append(clock(session.seconds))
    return parts


def _length(parts: list[str]) -> int:
    return sum(map(cell_len, parts)) + 3 * max(0, len(parts) - 1)
