"""The widget that draws rows: it scrolls, has a cursor, and its text can be selected, searched and copied.

Only what is visible is drawn, so its cost does not depend on how long a session is.
"""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Iterable
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from treadle.tui.story.line import Line
from treadle.tui.widgets.copied import Selected, copied
from treadle.tui.widgets.found import Found
from treadle.tui.widgets.layout import Row

_ROLES = (
    *("text", "title", "result", "marker", "time", "printed", "code", "heading", "hunk", "added", "removed"),
    *("running", "ok", "failed", "waits", "said", "stopped"),
    *("keyword", "string", "number", "comment", "name"),
)


_OVER_ALL = ("cursor", "found")
"""What is laid over the role that a piece has."""


class RowView(ScrollView, can_focus=True):
    """Rows with a cursor. It says what is wanted by messages, and changes nothing by itself."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"row--{role}" for role in (*_ROLES, *_OVER_ALL)}
    DEFAULT_CSS = """
    RowView {
        background: $surface; color: $text; overflow-x: hidden; overflow-y: auto; scrollbar-size-vertical: 1;
        scrollbar-gutter: stable;
    }
    RowView > .row--title { text-style: bold; }
    RowView > .row--result, RowView > .row--time, RowView > .row--marker { color: $text-muted; }
    RowView > .row--ok, RowView > .row--added { color: $text-success; }
    RowView > .row--failed, RowView > .row--removed { color: $text-error; }
    RowView > .row--waits { color: $text-warning; text-style: bold; }
    RowView > .row--running, RowView > .row--hunk { color: $text-accent; }
    RowView > .row--heading { text-style: bold; }
    RowView > .row--keyword { color: $text-primary; text-style: bold; }
    RowView > .row--string { color: $text-success; }
    RowView > .row--number { color: $text-accent; }
    RowView > .row--comment { color: $text-muted; text-style: italic; }
    RowView > .row--name { text-style: bold; }
    RowView > .row--cursor { background: $surface-lighten-2; }
    RowView:focus > .row--cursor { background: $block-cursor-background; color: $block-cursor-foreground; }
    RowView > .row--found { text-style: reverse; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Up", show=False, id="pane-up"),
        Binding("down,j", "move(1)", "Down", show=False, id="pane-down"),
        Binding("pageup", "page(-1)", "Page up", show=False, id="pane-page-up"),
        Binding("pagedown", "page(1)", "Page down", show=False, id="pane-page-down"),
        Binding("home,g", "end(-1)", "To the top", show=False, id="pane-top"),
        Binding("end,G", "end(1)", "To the end", show=False, id="pane-end"),
        Binding("enter,space", "turn", "Open or close", show=False, id="pane-turn"),
        Binding("right,l", "open", "Open", show=False, id="pane-open"),
        Binding("left,h", "close", "Close", show=False, id="pane-close"),
    ]
    ALLOW_SELECT = True

    cursor: reactive[int] = reactive(0, always_update=True)

    class Toggled(Message):
        """The line is to be opened or closed."""

        def __init__(self, view: RowView, line: Line, opened: bool | None) -> None:
            """`opened` None: the other of what it is."""
            super().__init__()
            self.view = view
            self.line = line
            self.opened = opened

        @property
        def control(self) -> RowView:
            """The view that it is in."""
            return self.view

    class Moved(Message):
        """The cursor stands on another line."""

        def __init__(self, view: RowView, line: Line) -> None:
            super().__init__()
            self.view = view
            self.line = line

        @property
        def control(self) -> RowView:
            """The view that it is in."""
            return self.view

    class Resized(Message):
        """It is wider than it was, or less wide."""

        def __init__(self, view: RowView) -> None:
            super().__init__()
            self.view = view

        @property
        def control(self) -> RowView:
            """The view that it is."""
            return self.view

    def __init__(self, *, id: str | None = None, empty: str = "") -> None:
        """`empty` is said where there are no rows."""
        super().__init__(id=id)
        self._rows: list[Row] = []
        self.empty = empty
        self._looked_for = ""
        self._found = Found([], "")
        self._styles_of: dict[tuple[str, bool], Style] = {}
        self.follows = False
        """Whether it stays at the end when rows are added there."""
        self._width = 0
        self._at_end = True
        """Whether it was scrolled to the end: also when it has become smaller since, by what is told below it."""

    # ------------------------------------------------------------ what it shows

    @property
    def rows(self) -> list[Row]:
        """The rows that it shows."""
        return self._rows

    @property
    def line(self) -> Line | None:
        """The line on which the cursor stands."""
        return self._rows[self.cursor].line if self._rows else None

    def show(self, rows: Iterable[Row], *, stays: bool = False) -> None:
        """Show these rows; the cursor stays on its line, and the view at the end where it was there, unless it `stays`
        where it is."""
        before, line, at_end = self._rows, self.line, self.follows and not stays and self._at_end
        self._rows = list(rows)
        if self._rows == before:
            return
        self._found = Found(self._rows, self._looked_for)
        self.virtual_size = Size(self.scrollable_content_region.width, len(self._rows))
        place = next((n for n, row in enumerate(self._rows) if line is not None and row.line.key == line.key), None)
        if place is None:
            place = min(self.cursor, max(0, len(self._rows) - 1))
        moved = place != self.cursor
        self.set_reactive(RowView.cursor, place)
        self._refresh_from(before, whole=moved)
        if at_end:
            # Forced: where it could not be scrolled before these rows, it has no scrollbar yet.
            self.scroll_end(animate=False, force=True, immediate=True)
        else:
            self._at_end = self.is_vertical_scroll_end

    def watch_scroll_y(self, before: float, now: float) -> None:
        """Somebody has scrolled."""
        super().watch_scroll_y(before, now)
        self._at_end = self.is_vertical_scroll_end

    def on_resize(self, event: events.Resize) -> None:
        """Stay at the end, and say where rows of another width are wanted."""
        if event.size.width != self._width:
            self._width = event.size.width
            self.post_message(self.Resized(self))
        if self.follows and self._at_end:
            self.scroll_end(animate=False, force=True, immediate=True)

    def _refresh_from(self, before: list[Row], *, whole: bool) -> None:
        """Draw again what is otherwise than it was: in most cases one row of all that are visible."""
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        if whole or len(before) != len(self._rows):
            self.refresh()
            return
        for place in range(top, min(top + height, len(before))):
            if before[place] != self._rows[place]:
                self.refresh_lines(place)

    def render_line(self, y: int) -> Strip:
        """One row, as Textual's line API wants it."""
        width = self.scrollable_content_region.width
        place = y + self.scroll_offset.y
        base = self._role("")
        if not self._rows and self.empty:
            said = textwrap.wrap(self.empty, max(1, width))[y : y + 1]
            return Strip([Segment(line, base + self._role("result")) for line in said]).adjust_cell_length(width, base)
        if place >= len(self._rows):
            return Strip.blank(width, base)
        row = self._rows[place]
        at_cursor = bool(self._rows) and row.line is self._rows[self.cursor].line
        under = self._role("cursor") if at_cursor and (self.has_focus or row.first) else Style.null()
        segments = [Segment(text, base + self._role(role) + under) for text, role in row.pieces]
        strip = Strip(segments).adjust_cell_length(width, base + under)
        return self._marked(strip, row.text, place).apply_offsets(0, place)

    def _marked(self, strip: Strip, text: str, place: int) -> Strip:
        """With what is selected, and what is looked for, made visible."""
        spans: list[tuple[int, int, Style]] = []
        selection = self.text_selection
        if selection is not None and (span := selection.get_span(place)) is not None:
            start, end = span
            style = self.screen.get_component_rich_style("screen--selection")
            spans.append((start, len(text) if end == -1 else end, style))
        spans += [(start, end, self._role("found")) for start, end in self._found.spans(place)]
        for start, end, style in spans:
            strip = _styled(strip, start, end, style)
        return strip

    def _role(self, role: str) -> Style:
        """The style of a role, of all rows for "". It is looked up once, until the styles are others."""
        key = (role, self.has_focus)
        if key not in self._styles_of:
            self._styles_of[key] = self._looked_up(role) if role else self.rich_style
        return self._styles_of[key]

    def _looked_up(self, role: str) -> Style:
        if role in _OVER_ALL:
            return self.get_component_rich_style(f"row--{role}", partial=True)
        # A colour that is lighter or darker than the text is worked out against what it stands on: not in a part.
        whole = self.get_component_rich_style(f"row--{role}")
        return Style(color=whole.color, bold=whole.bold, italic=whole.italic)

    def notify_style_update(self) -> None:
        """Styles are looked up anew."""
        self._styles_of.clear()
        super().notify_style_update()

    # ------------------------------------------------------------ the cursor

    def validate_cursor(self, place: int) -> int:
        """Within the rows."""
        return max(0, min(place, len(self._rows) - 1))

    def watch_cursor(self, before: int, now: int) -> None:
        """Show where it stands."""
        self.refresh()
        if self._rows:
            self.scroll_to_region(Region(0, now, 1, 1), animate=False, force=True, immediate=True)
            self.post_message(self.Moved(self, self._rows[now].line))

    def action_move(self, lines: int) -> None:
        """To the next line, or the one before: rows that a line goes on in are passed."""
        place = self.cursor + lines
        while 0 < place < len(self._rows) - 1 and not self._rows[place].first:
            place += lines
        self.cursor = place

    def action_page(self, pages: int) -> None:
        """A page on or back."""
        self.cursor += pages * max(1, self.scrollable_content_region.height - 1)

    def action_end(self, which: int) -> None:
        """To the first row or the last."""
        self.cursor = 0 if which < 0 else len(self._rows) - 1

    def go_to(self, key: str) -> None:
        """To the line of that key, if it is there, with some of what is before it."""
        place = next((n for n, row in enumerate(self._rows) if row.line.key == key), None)
        if place is not None:
            self.cursor = place
            self.scroll_to(
                y=max(0, place - self.scrollable_content_region.height // 3), animate=False, force=True, immediate=True
            )

    def action_turn(self) -> None:
        """Open or close the line."""
        self._say(None)

    def action_open(self) -> None:
        """Open the line."""
        self._say(True)

    def action_close(self) -> None:
        """Close the line."""
        self._say(False)

    def _say(self, opened: bool | None) -> None:
        if self.line is not None:
            self.post_message(self.Toggled(self, self.line, opened))

    def on_click(self, event: events.Click) -> None:
        """The cursor goes there; a click on a line that it stands on opens or closes it."""
        place = event.y + self.scroll_offset.y
        if place >= len(self._rows) or self.text_selection is not None:
            return
        again = self._rows[place].line is self.line
        self.cursor = place
        if again or event.x < len(self._rows[place].text) - len(self._rows[place].text.lstrip()) + 2:
            self._say(None)

    # ------------------------------------------------------------ search, selection

    def look_for(self, words: str, *, after: int = -1, step: int = 1) -> bool:
        """Go to the next row that holds the words, whatever their case, `step` -1: to the one before; False where there
        is none. Empty: mark nothing any more."""
        self._looked_for = words
        self._found = Found(self._rows, words)
        self.refresh()
        if not words:
            return True
        count = len(self._rows)
        order = [(after + step * n) % count for n in range(1, count + 1)] if count else []
        found = next((n for n in order if self._found.begins_at(n)), None)
        if found is not None:
            self.cursor = found
        return found is not None

    def text_at_cursor(self) -> str:
        """The text of the line under the cursor, and of the lines that are open below it."""
        if not self._rows:
            return ""
        begins = next(n for n in range(self.cursor, -1, -1) if self._rows[n].first)
        depth = self._rows[begins].depth
        ends = next(
            (n for n in range(begins + 1, len(self._rows)) if self._rows[n].first and self._rows[n].depth <= depth),
            len(self._rows),
        )
        return copied(self._rows, map(Selected, range(begins, ends)))

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The selected text."""
        spans = ((place, selection.get_span(place)) for place in range(len(self._rows)))
        return copied(self._rows, (Selected(place, *span) for place, span in spans if span is not None)), "\n"


def _styled(strip: Strip, start: int, end: int, style: Style) -> Strip:
    """With another style from one character to another."""
    segments: list[Segment] = []
    place = 0
    for text, own, control in strip:
        cuts = sorted({0, len(text), *(cut - place for cut in (start, end) if 0 < cut - place < len(text))})
        for left, right in itertools.pairwise(cuts):
            inside = start <= place + left and place + right <= end
            segments.append(Segment(text[left:right], (own or Style.null()) + style if inside else own, control))
        place += len(text)
    return Strip(segments, strip.cell_length)
