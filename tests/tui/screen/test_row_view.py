"""Rows under a mouse, in an app that has nothing else: clicks, and text that is selected and copied."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from textual import events
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.selection import SELECT_ALL

from treadle.tui.story.line import Line
from treadle.tui.widgets.layout import rows_of
from treadle.tui.widgets.row_view import RowView

LINES = [Line("one", "stage", "one", "ok", children=[Line("below", "text", "what was printed\nin two rows")])]
LINES += [Line(name, "stage", name, "ok", children=[Line(f"{name}.below", "text", name)]) for name in ("two", "three")]


class Rows(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.toggled: list[tuple[str, bool | None]] = []
        self.moved: list[str] = []

    def compose(self) -> ComposeResult:
        yield RowView(id="rows")

    def on_row_view_toggled(self, message: RowView.Toggled) -> None:
        self.toggled.append((message.line.key, message.opened))

    def on_row_view_moved(self, message: RowView.Moved) -> None:
        self.moved.append(message.line.key)


def on_rows(play: Callable[[Rows, RowView, Pilot[None]], Awaitable[None]]) -> None:
    """Play it where the rows of `LINES` stand, the first of which is open."""

    async def run() -> None:
        app = Rows()
        async with app.run_test(size=(40, 12)) as pilot:
            view = app.query_one(RowView)
            view.show(rows_of(LINES, 40, lambda line: line.key == "one"))
            await pilot.pause(0)
            await play(app, view, pilot)

    asyncio.run(run())


def test_a_click_goes_to_a_line_and_the_next_one_on_it_or_one_on_its_sign_opens_it() -> None:
    async def play(app: Rows, view: RowView, pilot: Pilot[None]) -> None:
        async def clicked(x: int, y: int) -> tuple[str, list[tuple[str, bool | None]]]:
            app.toggled.clear()
            await pilot.click(view, (x, y))
            return (view.line.key if view.line is not None else ""), list(app.toggled)

        at = {row.line.key: place for place, row in reversed(list(enumerate(view.rows)))}
        assert await clicked(8, at["three"]) == ("three", [])
        assert app.moved[-1] == "three"
        assert await clicked(8, at["three"]) == ("three", [("three", None)])
        assert await clicked(0, at["two"]) == ("two", [("two", None)])
        assert await clicked(8, at["below"]) == ("below", [])
        assert await clicked(8, len(view.rows) + 1) == ("below", []), "there is no line"
        app.screen.selections = {view: SELECT_ALL}
        view.on_click(events.Click(view, 0, at["two"], 0, 0, 1, shift=False, meta=False, ctrl=False))
        await pilot.pause(0)
        assert (view.line and view.line.key, app.toggled) == ("below", []), "who selects text opens nothing"

    on_rows(play)


def test_text_that_is_selected_with_the_mouse_is_shown_as_such_and_copied() -> None:
    async def play(app: Rows, view: RowView, pilot: Pilot[None]) -> None:
        texts = [row.text for row in view.rows]
        first = next(place for place, text in enumerate(texts) if "what was" in text)
        begins = texts[first].index("was")
        await pilot.mouse_down(view, (begins, first))
        await pilot.hover(view, (begins + 2, first + 1))
        await pilot.mouse_up(view, (begins + 2, first + 1))
        selected = app.screen.get_selected_text()
        assert selected is not None
        assert selected.splitlines() == [texts[first][begins:], texts[first + 1][: begins + 2]]
        style = app.screen.get_component_rich_style("screen--selection")
        drawn = [text for text, own, _ in view.render_line(first) if own is not None and own.bgcolor == style.bgcolor]
        assert "".join(drawn) == texts[first][begins:]
        await pilot.press("ctrl+c")
        assert app.clipboard == selected

    on_rows(play)
