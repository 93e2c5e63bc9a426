"""How well it went: the metrics of the project's sessions, and how they went by day and by session."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import msgspec

from treadle.core.metrics import Metrics, measured, metrics_of, series_of
from treadle.core.store.session_finder import SessionRow
from treadle.tui.pages.figures import FIGURES, Figure, amount_of
from treadle.tui.pages.page import Found, Page
from treadle.tui.safe_text import clean_line, shortened
from treadle.tui.story.line import Line, detail
from treadle.tui.widgets.layout import Glyphs
from treadle.tui.widgets.plot import bar, spark

if TYPE_CHECKING:
    from treadle.core.project import Project

DAYS = 30
SESSIONS = 20
_BAR = 20
_TITLE = 30  # characters of a session's title beside its bar


@dataclass(frozen=True)
class Point:
    """One place of a series: what stands before its bar and behind its number, and its metrics, None for a day on which
    no session began."""

    name: str
    about: str
    metrics: Metrics | None


class MetricsPage(Page):
    """Each figure in one line, its plots below it."""

    NAME = "metrics"
    EMPTY = "No sessions yet, so nothing to measure. Escape goes back; /fix starts one."
    SEARCHES = ""

    def read(self, project: Project, words: str) -> Found:
        """The figures, read from the events of all sessions."""
        events = list(measured(project.store))
        by_day = series_of(events, lambda event: date.fromtimestamp(event.time).isoformat())
        by_session = series_of(events, lambda event: event.session)
        rows = project.store.sessions(SESSIONS)
        days, sessions = days_to(date.today(), by_day), sessions_of(rows, by_session)
        return Found(lines_of(metrics_of(events), days, sessions, self._glyphs))


def days_to(last: date, by_day: Mapping[str, Metrics]) -> list[Point]:
    """The days up to this one, the earliest first."""
    days = (last - timedelta(days=back) for back in range(DAYS - 1, -1, -1))
    found = ((day.isoformat(), by_day.get(day.isoformat())) for day in days)
    return [Point(name, amount_of(each.sessions, "session") if each else "", each) for name, each in found]


def sessions_of(rows: Sequence[SessionRow], by_session: Mapping[str, Metrics]) -> list[Point]:
    """The sessions of these rows, whose latest comes first, the earliest first."""
    return [
        Point(
            time.strftime("%Y-%m-%d %H:%M", time.localtime(row.started)),
            row.title,
            by_session.get(row.id, Metrics()),
        )
        for row in reversed(rows)
    ]


def lines_of(total: Metrics, days: list[Point], sessions: list[Point], glyphs: Glyphs) -> list[Line]:
    """The figures, and below them all that is counted; nothing where there has been no session."""
    if not total.sessions:
        return []
    figures = [
        Line(
            figure.name,
            "task",
            figure.name,
            result=figure.told(total),
            column=max(len(each.name) for each in FIGURES),
            children=[
                _plot(figure, f"last {len(days)} days", "days", days, glyphs),
                _plot(figure, f"last {amount_of(len(sessions), 'session')}", "sessions", sessions, glyphs),
            ],
        )
        for figure in FIGURES
    ]
    nothing, least, most = glyphs.levels[0], glyphs.levels[1], glyphs.levels[-1]
    what = f"{nothing} nothing to show, {least} zero, {most} the highest; enter on a plot shows its numbers"
    return [*figures, detail("counted", "All that is counted", below=list(_all(total))), detail("legend", what)]


def _plot(figure: Figure, what: str, name: str, points: list[Point], glyphs: Glyphs) -> Line:
    """A series in one line, which opens to a bar and a number for each that has one, the latest first."""
    values = [figure.value(point.metrics) if point.metrics else None for point in points]
    known = [value for value in values if value is not None]
    highest = f"highest {figure.shown(max(known))}" if known else "nothing yet"
    key = f"{figure.name}.{name}"
    most = figure.most or max(known, default=0.0)
    width = max((len(figure.shown(value)) for value in known), default=0)
    below = [
        Line(
            f"{key}.{number}",
            "text",
            f"{point.name}  {bar(value, most, _BAR, glyphs.levels)}  {figure.shown(value):>{width}}  "
            f"{shortened(clean_line(point.about), _TITLE, glyphs.more)}",
        )
        for number, (point, value) in enumerate(zip(points, values, strict=True))
        if value is not None
    ]
    return detail(key, spark(values, glyphs.levels, figure.most), result=f"{what} · {highest}", below=below[::-1])


def _all(total: Metrics) -> Iterator[Line]:
    for name, value in msgspec.structs.asdict(total).items():
        yield detail(f"counted.{name}", name.replace("_", " "), result=_written(value))


def _written(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_written(each)}" for key, each in value.items()) or "none"
    if isinstance(value, float):
        return f"{value:.2f}"
    return "none" if value is None else str(value)
