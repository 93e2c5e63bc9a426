"""What this machine gives Treadle: the layers of the sandbox that hold, what is missing, and what to do about it."""

from __future__ import annotations

import platform
from typing import ClassVar

from textual.binding import Binding, BindingType

import treadle
from treadle.tui.diagnosis import Finding, can_work, diagnose, worth_telling
from treadle.tui.pages.page import Found, Page
from treadle.tui.story.line import Line, State, detail


class DoctorPage(Page):
    """Each thing that was looked at in one line; what does not hold comes first, open, and says what to do."""

    NAME = "doctor"
    SEARCHES = ""
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+r", "read_again", "Read again", id="doctor-read-again")]

    def found(self, words: str) -> Found:
        """What holds now: the project is opened once more, for its settings may have been mended meanwhile."""
        return Found(lines_of(diagnose(self.control.opened_anew)))


def lines_of(findings: list[Finding]) -> list[Line]:
    """What it comes to, then each finding, then what this machine is."""
    version = f"treadle {treadle.__version__}, Python {platform.python_version()}, {platform.platform()}"
    told = sorted(worth_telling(findings), key=lambda finding: finding.on)
    column = max((len(finding.name) for finding in told), default=0)
    return [_summary(findings), *(_told(finding, column) for finding in told), detail("version", version)]


def _summary(findings: list[Finding]) -> Line:
    layers = [finding for finding in findings if finding.is_layer]
    holding = f"{sum(layer.on for layer in layers)} of {len(layers)} layers hold"
    if can_work(findings):
        return Line("summary", "task", "Treadle can work here", "ok", holding)
    missing = ", ".join(finding.name for finding in findings if finding.needed and not finding.on)
    return Line("summary", "task", f"Treadle can't work here without {missing}", "failed", holding)


def _told(finding: Finding, column: int) -> Line:
    """A thing that is on, in one line. One that is off is open from the start, as a question is that waits."""
    if finding.on:
        why = f"on · {finding.why}" if finding.why else "on"
        return Line(finding.name, "detail", finding.name, "ok", why, column=column)
    state: State = "failed" if finding.needed else "waits"
    parts = {"Why": finding.why, "What it means": finding.meaning, "What to do": finding.how}
    below = [detail(f"{finding.name}.{title}", title, result=text) for title, text in parts.items() if text]
    return Line(finding.name, "question", finding.name, state, "off", children=below, column=column)
