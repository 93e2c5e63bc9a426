"""Taking some hunks of a change: each is on or off; what comes of it is tried like any other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from treadle.core.counting import counted
from treadle.core.patches.hunks import Hunk
from treadle.core.paths import shown
from treadle.tui.safe_text import visible
from treadle.tui.story.line import Line, State
from treadle.tui.widgets.keys_that_fit import KeysThatFit
from treadle.tui.widgets.layout import Glyphs, rows_of
from treadle.tui.widgets.row_view import RowView
from treadle.tui.widgets.told import Told

MOST_LINES = 200
"""Lines of a hunk that are shown; the diff shows all of them."""


class HunksScreen(Screen[frozenset[str] | None]):
    """Answers with the ids of the hunks that are taken, None when nothing is to be tried."""

    DEFAULT_CSS = """
    HunksScreen #about { height: auto; background: $panel; padding: 0 1; text-style: bold; }
    HunksScreen RowView { height: 1fr; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("x", "turn", "Take or leave", id="hunks-turn"),
        Binding("ctrl+s", "try", "Try it", priority=True, id="hunks-try"),
        Binding("escape", "leave", "Leave as it was", id="hunks-leave"),
    ]

    def __init__(self, hunks: Sequence[Hunk], glyphs: Glyphs, taken: frozenset[str] | None = None) -> None:
        """`hunks` are those of a candidate, in their order, of which those of the ids `taken` are; None for all."""
        super().__init__()
        self._glyphs = glyphs
        self.hunks = hunks
        self.taken = frozenset(hunk.id for hunk in hunks) if taken is None else taken

    def compose(self) -> ComposeResult:
        """The hunks, each with a mark."""
        yield Static(
            Content("Space, or x, takes a hunk or leaves it. What you take is scanned, run and validated."), id="about"
        )
        yield RowView(id="hunks", empty="It changes nothing in your files as they are now.")
        yield Told()
        yield KeysThatFit()

    def on_mount(self) -> None:
        """The hunks have the focus."""
        self.query_one("#hunks").focus()
        self._draw()

    def on_resize(self, event: events.Resize) -> None:
        """Lay them out anew."""
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        view = self.query_one("#hunks", RowView)
        lines = [_told(hunk, taken=hunk.id in self.taken) for hunk in self.hunks]
        view.show(
            rows_of(lines, view.scrollable_content_region.width or self.app.size.width, lambda _: True, self._glyphs)
        )

    @on(RowView.Toggled)
    def _toggled(self, message: RowView.Toggled) -> None:
        message.stop()
        hunk = next((each.id for each in self.hunks if message.line.key.startswith(f"{each.id}|")), "")
        if hunk and message.opened is None:
            self.taken ^= {hunk}
            self._draw()

    def action_turn(self) -> None:
        """Take the hunk under the cursor, or leave it."""
        self.query_one("#hunks", RowView).action_turn()

    def action_try(self) -> None:
        """Have it tried."""
        if not self.taken:
            self.query_one(Told).tell("None is taken; escape leaves the change as it was.", answers=True)
        elif len(self.taken) == len(self.hunks):
            told = "All are taken, which is the change as it is: escape, then accept it."
            self.query_one(Told).tell(told, answers=True)
        else:
            self.dismiss(self.taken)

    def action_leave(self) -> None:
        """Leave the change as it was."""
        self.dismiss(None)


def _told(hunk: Hunk, *, taken: bool) -> Line:
    state: State = "ok" if taken else "stopped"
    count = f"+{len(hunk.added)} -{len(hunk.removed)}"
    result = ("taken" if taken else "left out") + f" · {f'{hunk.whole} · ' if hunk.whole else ''}{count}"
    parts = ((" ", hunk.before), ("-", hunk.removed), ("+", hunk.added), (" ", hunk.after))
    lines = [f"{mark}{line.decode('utf-8', 'replace').rstrip(chr(10))}" for mark, part in parts for line in part]
    below = [Line(f"{hunk.id}|{n}", "code", visible(text)) for n, text in enumerate(lines[:MOST_LINES])]
    if len(lines) > MOST_LINES:
        below.append(Line(f"{hunk.id}|more", "detail", f"{counted(len(lines) - MOST_LINES, 'line')} more"))
    return Line(f"{hunk.id}|", "detail", f"{shown(hunk.path)}:{hunk.line}", state, result, children=below)
