"""One session as it is looked at: what is open in its story, and the rows of each pane.

It knows nothing of widgets. The screen imports it with the first session that it shows.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from treadle.core.config.screen_settings import Opens
from treadle.core.errors import TreadleError
from treadle.core.records import FileChange
from treadle.tui.screen.code_view import CodeView
from treadle.tui.story.details import Source
from treadle.tui.story.line import Line, detail
from treadle.tui.story.opening import Openings
from treadle.tui.story.running import NOTHING_SPENT, Spent, bar, spent
from treadle.tui.story.story import Story
from treadle.tui.widgets.header import SessionFacts
from treadle.tui.widgets.layout import ASCII, UNICODE, Row, rows_of

_NONE = -1
"""The number that no attempt has."""


class SessionView:
    """The session's `story`, and how a person looks at it."""

    def __init__(
        self,
        session: str,
        source: Source,
        files: Callable[[int], tuple[FileChange, ...]],
        *,
        on_unfit: Callable[[Exception, str], None],
        opens: Opens = "on failure",
        ascii_only: bool = False,
    ) -> None:
        """`files` are those of an attempt, by its number (0: of the last), as they would be: the log has them once the
        session is at rest. `on_unfit` as `Story` has it."""
        self.story = Story(source, on_unfit=on_unfit, session=session)
        self._ascii_only = ascii_only
        self._glyphs = ASCII if ascii_only else UNICODE
        self.openings = Openings(opens)
        self.limit_usd: float | None = None
        self.limit_tokens: int | None = None
        """What its models may cost."""
        self.change = CodeView(self._files_of, self._glyphs, ascii_only=ascii_only)
        self._files = files
        self._read: tuple[object, tuple[FileChange, ...]] = (None, ())
        self._diff_read: tuple[str, str] = ("", "")

    # ------------------------------------------------------------ the panes

    def outline(self, width: int) -> list[Row]:
        """The stages and attempts, one row each."""
        return self._told([self.story.root], width, brief=True)

    def activity(self, width: int) -> list[Row]:
        """What happened, as far as it is open."""
        return self._told([self.story.root], width)

    def code(self, width: int, attempt: Line | None) -> list[Row]:
        """The change of that attempt, None: the one that is to be accepted, else the one that came nearest, else the
        latest. Where it can't be read, it says why."""
        try:
            self.change.take(*self._diff(attempt))
            return self.change.rows(width)
        except TreadleError as error:
            unread = detail("unread", f"The change can't be read: {error}", "failed")
            return rows_of([unread], width, lambda line: False, self._glyphs)

    def facts(self, *, working: bool, own_budget: bool) -> SessionFacts:
        """What the header says of it. `working`: it is at work just now. `own_budget`: what was chosen for it would
        hold if it went on."""
        story, use = self.story, self.story.use
        since = max(0.0, time.time() - story.last_time) if working and story.working else 0.0
        return SessionFacts(
            model=", ".join(use.models),
            layers=story.layers,
            tokens=use.read + use.written,
            usd=use.usd,
            limit_usd=story.limit_usd if own_budget else None,
            seconds=story.worked_s + since,
        )

    def _told(self, lines: list[Line], width: int, *, brief: bool = False) -> list[Row]:
        now, story = time.time(), self.story
        taken = self._taken() if story.working and not brief else NOTHING_SPENT
        return rows_of(
            lines,
            width,
            (lambda line: line.kind == "task") if brief else self.openings.is_open,
            self._glyphs,
            lambda line: "" if brief else bar(line, story.now, taken, ascii_only=self._ascii_only),
            lambda line: spent(line, now),
            brief=brief,
        )

    def _taken(self) -> Spent:
        use = self.story.use
        return Spent(use.usd, self.limit_usd, use.read + use.written, self.limit_tokens)

    def _diff(self, attempt: Line | None) -> tuple[str, int]:
        """The diff that is shown, and the number of its attempt; that of none where its files are kept no more."""
        story = self.story
        if attempt is None and story.diff:
            return story.diff, 0
        told = [line for line in story.attempts if line.diff]
        nearest = next((line for line in told if line.number == story.nearest), None)
        shown = attempt or nearest or (told[-1] if told else None)
        return (self._kept(shown.diff), shown.number or _NONE) if shown is not None else ("", 0)

    def _kept(self, ref: str) -> str:
        """A diff that is kept outside of the events. It is read once: a session that is at work is drawn many times a
        second."""
        if ref != self._diff_read[0]:
            self._diff_read = (ref, self.story.source.output(ref) or "")
        return self._diff_read[1]

    def _files_of(self, attempt: int) -> tuple[FileChange, ...]:
        """The files of that attempt as they would be, as far as that can be known by now; read once, as above."""
        if self.story.working or attempt == _NONE:
            return ()
        asked = (attempt, self.story.seq)
        if asked != self._read[0]:
            self._read = (asked, self._files(attempt))
        return self._read[1]
