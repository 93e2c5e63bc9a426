"""One session as it is looked at: what is open in its story, and the rows of each pane.

It knows nothing of widgets. The screen imports it with the first session that it shows.
"""

from __future__ import annotations

import time

from treadle.tui.story.changes import change_lines
from treadle.tui.story.details import Source
from treadle.tui.story.line import Line
from treadle.tui.story.opening import Openings
from treadle.tui.story.running import bar, spent
from treadle.tui.story.story import Story
from treadle.tui.widgets.header import Facts
from treadle.tui.widgets.layout import ASCII, UNICODE, Row, rows_of


class SessionView:
    """The session's `story`, and how a person looks at it."""

    def __init__(self, session: str, source: Source, *, project: str, limit_usd: float, ascii_only: bool) -> None:
        self.story = Story(source, session=session)
        self._project = project
        self._limit_usd = limit_usd
        self._ascii_only = ascii_only
        self._glyphs = ASCII if ascii_only else UNICODE
        self._openings = Openings()
        self._shown_diff = ""
        self._changes: list[Line] = []
        self._closed_changes: set[str] = set()

    # ------------------------------------------------------------ the panes

    def outline(self, width: int) -> list[Row]:
        """The stages and attempts, one row each."""
        return self._told([self.story.root], width, brief=True)

    def activity(self, width: int) -> list[Row]:
        """What happened, as far as it is open."""
        return self._told([self.story.root], width)

    def code(self, width: int, attempt: Line | None) -> list[Row]:
        """The change of that attempt, None: the one that is to be accepted, else the latest."""
        diff = self._diff(attempt)
        if diff != self._shown_diff:
            self._shown_diff = diff
            self._changes = change_lines(diff)
        return rows_of(self._changes, width, lambda line: line.key not in self._closed_changes, self._glyphs)

    def facts(self, *, working: bool) -> Facts:
        """What the header says. `working`: it is at work just now."""
        story, use = self.story, self.story.use
        since = max(0.0, time.time() - story.last_time) if working and story.working else 0.0
        return Facts(
            project=self._project,
            model=", ".join(use.models),
            layers=story.layers or None,
            tokens=use.read + use.written,
            usd=use.usd,
            limit_usd=self._limit_usd,
            seconds=story.worked_s + since,
        )

    def _told(self, lines: list[Line], width: int, *, brief: bool = False) -> list[Row]:
        now, story = time.time(), self.story
        return rows_of(
            lines,
            width,
            (lambda line: line.kind == "task") if brief else self._openings.is_open,
            self._glyphs,
            lambda line: "" if brief else bar(line, story.now, ascii_only=self._ascii_only),
            lambda line: spent(line, now),
            brief=brief,
        )

    def _diff(self, attempt: Line | None) -> str:
        if attempt is None and self.story.diff:
            return self.story.diff
        shown = attempt or next((line for line in reversed(self.story.attempts) if line.diff), None)
        return (self.story.source.output(shown.diff) or "") if shown is not None else ""

    # ------------------------------------------------------------ what is open

    def turn(self, line: Line, opened: bool | None) -> None:
        """Open or close a line of the activity; None: the other of what it is."""
        self._openings.turn(line, opened)

    def turn_change(self, line: Line, opened: bool | None) -> None:
        """Open or close a file of the change; None: the other of what it is."""
        closed = line.key in self._closed_changes
        if closed if opened is None else opened:
            self._closed_changes.discard(line.key)
        else:
            self._closed_changes.add(line.key)

    def turn_all(self) -> None:
        """Open all stages, or leave that to the policy again."""
        self._openings.turn_all()
