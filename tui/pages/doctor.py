"""What this machine gives Treadle: the layers of the sandbox that hold, what is missing, and what to do about it."""

from __future__ import annotations

import platform

import treadle
from treadle.tui.diagnosis import Finding, can_work, diagnose, worth_telling
from treadle.tui.pages.page import Page
from treadle.tui.story.line import Line, State, detail


class DoctorPage(Page):
    """Each thing that was looked at in one line; what does not hold is open, and says what to do."""

    NAME = "doctor"
    SEARCHES = ""

    def found(self, words: str) -> list[Line]:
        """What holds now: the project is opened once more, for its settings may have been mended meanwhile."""
        return lines_of(diagnose(self.control.opened_anew))


def lines_of(findings: list[Finding]) -> list[Line]:
    """What it comes to, then each finding."""
    version = f"treadle {treadle.__version__}, Python {platform.python_version()}, {platform.platform()}"
    return [_summary(findings, version), *map(_told, worth_telling(findings))]


def _summary(findings: list[Finding], version: str) -> Line:
    layers = [finding for finding in findings if finding.is_layer]
    holding = f"{sum(layer.on for layer in layers)} of {len(layers)} layers of the sandbox hold"
    missing = [finding.name for finding in findings if finding.needed and not finding.on]
    below = [detail("version", version)]
    if can_work(findings):
        return Line("summary", "task", "Treadle can work here", "ok", holding, children=below)
    return Line(
        "summary", "task", f"Treadle can't work here without: {', '.join(missing)}", "failed", holding, children=below
    )


def _told(finding: Finding) -> Line:
    """A thing that is on in one line. One that is off opens by itself, as a question does that waits."""
    if finding.on:
        return detail(finding.name, finding.name, "ok", f"on · {finding.why}" if finding.why else "on")
    state: State = "failed" if finding.needed else "waits"
    parts = (
        ("why", "Why", finding.why),
        ("meaning", "What it means", finding.meaning),
        ("how", "What to do", finding.how),
    )
    below = [detail(f"{finding.name}.{key}", title, result=text) for key, title, text in parts if text]
    return Line(finding.name, "question", finding.name, state, "off", children=below)
