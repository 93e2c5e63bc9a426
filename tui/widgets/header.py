"""The line at the top: where one is, what it costs, and whether the walls stand."""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget

from treadle.tui.safe_text import clean_line


@dataclass(frozen=True)
class Facts:
    """What the header says. `layers` None: nothing has run yet; `limit_usd` None: no budget of money;
    `seconds` None: nothing is timed."""

    project: str
    model: str = ""
    layers: tuple[str, ...] | None = None
    tokens: int = 0
    usd: float = 0.0
    limit_usd: float | None = None
    seconds: float | None = None
    alerts: tuple[str, ...] = ()


class Header(Widget):
    """One row. What does not fit is left out, the least important first."""

    DEFAULT_CSS = "Header { dock: top; height: 1; background: $panel; color: $foreground; padding: 0 1; }"

    def __init__(self, facts: Facts) -> None:
        super().__init__()
        self._facts = facts

    def tell(self, facts: Facts) -> None:
        """Say this from now on."""
        if facts != self._facts:
            self._facts = facts
            self.refresh()

    def render(self) -> Content:
        """The row, as wide as the screen."""
        left, right = _left(self._facts), _right(self._facts)
        width = self.content_size.width
        while len(right) > 1 and _length(left) + _length(right) + 3 > width:
            right.pop(0)
        while len(left) > 2 and _length(left) + _length(right) + 3 > width:
            left.pop()
        told = " · ".join(right)
        name = " · ".join(left)
        room = max(0, width - cell_len(told) - 1)
        if cell_len(name) > room:
            name = name[: max(0, room - 1)] + "…"
        gap = " " * max(1, width - cell_len(name) - cell_len(told))
        return Content.assemble((name, "bold"), gap, told)


def _left(facts: Facts) -> list[str]:
    return [clean_line(part) for part in ("treadle", facts.project, facts.model) if part]


def _right(facts: Facts) -> list[str]:
    """The least important first."""
    parts = list(facts.alerts)
    if facts.layers is not None:
        parts.append(f"shield {len(facts.layers)} layers" if facts.layers else "no shield")
    if facts.tokens:
        parts.append(f"{facts.tokens / 1000:.1f}k tok" if facts.tokens >= 1000 else f"{facts.tokens} tok")
    if facts.tokens or facts.usd:
        limit = f" / ${facts.limit_usd:.2f}" if facts.limit_usd is not None else ""
        parts.append(f"${facts.usd:.2f}{limit}")
    if facts.seconds is not None:
        minutes, seconds = divmod(int(facts.seconds), 60)
        parts.append(f"{minutes:02}:{seconds:02}")
    return parts


def _length(parts: list[str]) -> int:
    return sum(map(cell_len, parts)) + 3 * max(0, len(parts) - 1)
