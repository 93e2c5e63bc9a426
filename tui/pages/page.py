"""A page: a list of lines that a person searches, opens, and acts on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, ParamSpec, TypeVar

from textual import events, on, work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.screen import Screen
from textual.widgets import Input
from textual.worker import Worker, get_current_worker

from treadle.core.errors import TreadleError
from treadle.tui.actions import ACTIONS, PAGES
from treadle.tui.control.control import Control
from treadle.tui.story.line import Line
from treadle.tui.story.opening import Openings
from treadle.tui.widgets.header import Facts, Header
from treadle.tui.widgets.keys_that_fit import KeysThatFit
from treadle.tui.widgets.layout import Glyphs, rows_of
from treadle.tui.widgets.row_view import RowView
from treadle.tui.widgets.told import Told

if TYPE_CHECKING:
    from treadle.core.project import Project

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Elsewhere:
    """The person goes on to another page, one of `actions.PAGES`."""

    page: str


@dataclass(frozen=True)
class Copy:
    """The person goes on with `session`, which they have just copied `of` another one."""

    session: str
    of: str


NOTHING_FITS = "Nothing here holds these words. Escape goes back to the list."


@dataclass(frozen=True)
class Found:
    """What a page has read: its lines, and what it knows of them as long as these are shown, by the lines' keys."""

    lines: list[Line]
    about: Mapping[str, Any] = field(default_factory=dict)


class Page(Screen[str | Copy | Elsewhere | None]):
    """The frame of every page. One of its own says what it is called, reads its lines, and adds keys.

    It answers with what the person has chosen there for the session's screen, or the page that they go on to, None when
    they go back. What it shows is read in a thread, so that a slow disk stops no key."""

    NAME: ClassVar[str] = ""
    EMPTY: ClassVar[str] = "There is nothing here."
    """What is said where there are no lines."""
    SEARCHES: ClassVar[str] = "Words to look for"
    """What stands in the empty search; "" for a page without one."""

    AUTO_FOCUS = "#found"
    DEFAULT_CSS = """
    Page RowView { height: 1fr; padding: 0 1; }
    Page Input { border: round $border-blurred; }
    Page Input:focus { border: round $border; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "search", "Search", id="page-search"),
        Binding("ctrl+r", "read_again", "Read again", show=False, id="page-read-again"),
        Binding("escape", "back", "Back", id="page-back"),
        *(
            Binding(action.key, f"go_on('{action.name}')", action.label, show=False, id=action.id)
            for action in ACTIONS
            if action.name in PAGES
        ),
    ]

    def __init__(self, control: Control, glyphs: Glyphs) -> None:
        super().__init__()
        self.control = control
        self._glyphs = glyphs
        self._openings = Openings()
        self.lines: list[Line] = []
        self.about: Mapping[str, Any] = {}
        self._is_read = False
        self._shown_in: App[Any]

    # ------------------------------------------------------------ what a page says of itself

    def read(self, project: Project, words: str) -> Found:
        """Its lines, those that fit the words where there are any. It is called in a thread, changes nothing of the
        page (it may be read anew meanwhile), and may raise `TreadleError`."""
        raise NotImplementedError

    def found(self, words: str) -> Found:
        """The same, for a page that has something to say also where the project can't be opened."""
        with self.control.using() as project:
            return self.read(project, words)

    def choose(self, line: Line) -> None:
        """What enter does on a line: it opens or closes it, unless a page has more to do."""
        self._turn(line, None)

    # ------------------------------------------------------------ the frame

    def compose(self) -> ComposeResult:
        """The header, the search, the lines."""
        yield Header(Facts(project=f"{self.control.root.name} · {self.NAME}"))
        if self.SEARCHES:
            yield Input(placeholder=self.SEARCHES, id="words")
        yield RowView(id="found", empty="Reading…")
        yield Told()
        yield KeysThatFit()

    def on_mount(self) -> None:
        """Read the lines."""
        self._shown_in = self.app
        self.look()

    def on_resize(self, event: events.Resize) -> None:
        """Lay the list out anew."""
        self.call_after_refresh(self.draw)

    @property
    def line(self) -> Line | None:
        """The line on which the cursor stands, or the one of the page's own that it is below."""
        view = self.query_one("#found", RowView)
        place = next((n for n in range(view.cursor, -1, -1) if n < len(view.rows) and not view.rows[n].depth), None)
        return view.rows[place].line if place is not None else None

    @property
    def is_there(self) -> bool:
        """Whether its parts are: the person may have left it while something was read for it."""
        return self.is_attached and self in self._shown_in.screen_stack and bool(self.query("#found"))

    def in_app(self, what: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """From a thread: have the app do it, and wait for that. A page that the person has left knows its app no more,
        and what they began there goes on."""
        return self._shown_in.call_from_thread(what, *args, **kwargs)

    @work(thread=True, exclusive=True, group="reading")
    def look(self) -> None:
        """Read the lines anew, and show them."""
        worker = get_current_worker()
        words = self.in_app(self._words)
        try:
            found = self.found(words)
        except TreadleError as error:
            self.in_app(self._fail, str(error), worker)
            return
        self.in_app(self._show, found, NOTHING_FITS if words else self.EMPTY, worker)

    def _words(self) -> str:
        return self.query_one("#words", Input).value.strip() if self.SEARCHES and self.is_there else ""

    def _fail(self, why: str, worker: Worker[None]) -> None:
        if worker.is_cancelled or not self.is_there:  # it is read anew by now, or nobody reads it any more
            return
        if not self._is_read:
            self._say_where_empty("It could not be read; ctrl+r tries again, escape goes back.")
        self.tell(why, grave=True)

    def _show(self, found: Found, empty: str, worker: Worker[None]) -> None:
        if not self.is_there or worker.is_cancelled:
            return
        self.lines, self.about = found.lines, found.about
        self._is_read = True
        self._say_where_empty(empty)
        self.draw()

    def _say_where_empty(self, text: str) -> None:
        view = self.query_one("#found", RowView)
        if view.empty != text:
            view.empty = text
            view.refresh()

    def draw(self) -> None:
        """Draw the lines as they are open."""
        if not self._is_read or not self.is_mounted:
            return
        view = self.query_one("#found", RowView)
        width = view.scrollable_content_region.width or self.app.size.width
        view.show(rows_of(self.lines, width, self._openings.is_open, self._glyphs))
        self.refresh_bindings()

    def do(self, what: Callable[[Project], str]) -> None:
        """Do it in a thread, tell what it says ("" for nothing), and read the lines anew. It is the app's own work: who
        leaves the page hears what came of it on the session's screen."""
        self._shown_in.run_worker(lambda: self._done(what), thread=True)

    def _done(self, what: Callable[[Project], str]) -> None:
        try:
            with self.control.using() as project:
                said = what(project)
        except TreadleError as error:
            self.in_app(self.tell, str(error), grave=True, answers=True)
            return
        if said:
            self.in_app(self.tell, said, answers=True)
        self.in_app(self._look_again)

    def _look_again(self) -> None:
        if self.is_there:
            self.look()

    def tell(self, text: str, *, grave: bool = False, answers: bool = False) -> None:
        """Tell the person something, on the session's screen once they have left the page. `answers`: it came of what
        they did last."""
        if self.is_there:
            self.query_one(Told).tell(text, grave=grave, answers=answers)
        else:
            self.control.tell(text, grave=grave)

    # ------------------------------------------------------------ what the person does

    @on(Input.Changed, "#words")
    def _changed(self, message: Input.Changed) -> None:
        self.look()

    @on(Input.Submitted, "#words")
    def _submitted(self, message: Input.Submitted) -> None:
        self.query_one("#found").focus()

    @on(RowView.Toggled)
    def _toggled(self, message: RowView.Toggled) -> None:
        message.stop()
        self.query_one(Told).forget()
        if message.opened is None:
            self.choose(message.line)
        else:
            self._turn(message.line, message.opened)

    def _turn(self, line: Line, opened: bool | None) -> None:
        self._openings.turn(line, opened)
        self.draw()
        self.show_whole(line)

    def show_whole(self, line: Line) -> None:
        """Bring what is open below the line into view, as much of it as there is room for."""
        view = self.query_one("#found", RowView)
        rows = view.rows
        first = next((n for n, row in enumerate(rows) if row.line is line), 0)
        after = range(first + 1, len(rows))
        end = next((n for n in after if rows[n].line is not line and rows[n].depth <= rows[first].depth), len(rows))
        shown = Region(0, first, 1, min(end - first, view.scrollable_content_region.height))
        view.scroll_to_region(shown, animate=False, force=True)

    @on(RowView.Moved)
    def _moved(self, message: RowView.Moved) -> None:
        self.refresh_bindings()

    def action_search(self) -> None:
        """To the words that are looked for."""
        self.set_focus(self.query_one("#words"))

    def action_read_again(self) -> None:
        """Read the lines anew."""
        self.query_one(Told).forget()
        self.look()

    def action_back(self) -> None:
        """From the search to the list, from the list back."""
        if isinstance(self.focused, Input):
            self.query_one("#found").focus()
        else:
            self.dismiss(None)

    def action_go_on(self, page: str) -> None:
        """To another page."""
        self.dismiss(Elsewhere(page))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what is possible now is offered."""
        if action == "go_on":
            return parameters != (self.NAME,)
        return bool(self.SEARCHES) if action == "search" else True


def fitting(lines: list[Line], words: str) -> list[Line]:
    """The lines that hold all of the words, in their title, their result or in a line below them."""
    wanted = words.lower().split()

    def told(line: Line) -> str:
        return " ".join((line.title, line.result, *map(told, line.children))).lower()

    return [line for line in lines if all(word in told(line) for word in wanted)] if wanted else lines
