"""The screen of a session: its outline, what happened, the code that changes, and the input."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import Footer

from treadle.core.errors import TreadleError, UsageError
from treadle.core.records import Question, Task
from treadle.tui.control.mailbox import Began, Mail, Notice, Rested
from treadle.tui.screen.possible import ACTIONS, is_possible, where_it_stands
from treadle.tui.screen.spoken import Spoken, understood
from treadle.tui.tasks import fix_task, run_task
from treadle.tui.widgets.header import Facts, Header
from treadle.tui.widgets.layout import Glyphs
from treadle.tui.widgets.prompt import Prompt
from treadle.tui.widgets.question_dialog import QuestionDialog
from treadle.tui.widgets.row_view import RowView
from treadle.tui.widgets.told import Told

if TYPE_CHECKING:
    from treadle.core.project import Project
    from treadle.tui.control.control import Control
    from treadle.tui.screen.app import TreadleApp
    from treadle.tui.screen.session_view import SessionView
    from treadle.tui.story.story import Story

_REDRAW_RUNNING_S = 0.5
_WIDE, _MIDDLE = 120, 100
_PANES = ("outline", "activity", "code")


class SessionScreen(Screen[None]):
    """Shows one session, the one that runs or any other of the project, and takes what the person wants."""

    DEFAULT_CSS = """
    SessionScreen #panes { height: 1fr; }
    SessionScreen RowView { width: 1fr; border-left: blank; border-top: none; padding: 0 1 0 0; }
    SessionScreen RowView:focus { border-left: heavy $border; }
    SessionScreen #outline { width: 30; }
    SessionScreen #activity { width: 3fr; }
    SessionScreen #code { width: 2fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "stop", "Stop"),
        Binding("a", "accept", "Accept"),
        Binding("n", "reject", "Reject"),
        Binding("e", "edit", "Edit"),
        Binding("u", "undo", "Take back"),
        Binding("r", "resume", "Go on"),
        Binding("ctrl+o", "open_all", "Open all"),
        Binding("f2", "next_pane", "Pane"),
        Binding("f3", "sessions", "Sessions"),
        Binding("i", "write", "Write", show=False),
        Binding("slash", "write('/')", "A command for the input", show=False),
    ]

    def __init__(self, control: Control, glyphs: Glyphs) -> None:
        super().__init__()
        self.control = control
        self._glyphs = glyphs
        self._view: SessionView | None = None
        self._pane = "activity"
        self._drawn_at = 0.0
        self._offered: tuple[str, ...] = ()

    @property
    def story(self) -> Story | None:
        """The story that it shows."""
        return self._view.story if self._view is not None else None

    @property
    def treadle(self) -> TreadleApp:
        """The app that it belongs to."""
        return self.app  # type: ignore[return-value]

    def compose(self) -> ComposeResult:
        """The header, three panes, the input, and the keys."""
        yield Header(Facts(project=self.control.root.name))
        with Horizontal(id="panes"):
            yield RowView(id="outline", empty="")
            yield RowView(
                id="activity", empty="What should change? Or send /fix to repair failing tests; /help says more."
            )
            yield RowView(id="code", empty="The change shows here.")
        yield Told()
        yield Prompt("What should change?   enter sends, /fix repairs failing tests, /help")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """The input has the focus."""
        self.query_one("#activity", RowView).follows = True
        self._arrange()
        self.query_one(Prompt).focus()

    # ------------------------------------------------------------ what it hears

    def hear(self, mail: Iterable[Mail]) -> None:
        """Take in what has come, and draw once."""
        changed = False
        for item in mail:
            changed = True
            if isinstance(item, Notice):
                self._notify(item.text, grave=item.grave)
            elif isinstance(item, Began):
                self._show_session(item.session)
            elif isinstance(item, Rested):
                self._rested(item)
            elif self.story is not None and item.session == self.story.session:
                self.story.fold(item)
        running = self.story is not None and self.story.working and bool(self.control.working)
        if changed or (running and time.monotonic() - self._drawn_at > _REDRAW_RUNNING_S):
            self.draw()

    def open_session(self, session: str) -> None:
        """Show a session that is in the log."""
        self._show_session(session)
        assert self.story is not None
        self.story.fold_all(self.control.project.store.events(session))
        self.draw()

    def _show_session(self, session: str) -> None:
        from treadle.tui.control.control import LogReader
        from treadle.tui.screen.session_view import SessionView  # the first paint does not wait for them

        project = self.control.project
        self._view = SessionView(
            session,
            LogReader(project, session),
            project=self.control.root.name,
            limit_usd=project.settings.budget.usd,
            ascii_only=self.treadle.ascii_only,
        )

    def _rested(self, rested: Rested) -> None:
        if rested.error:
            self._notify(rested.error, grave=True)
        self._offer()
        question = self.story.question if self.story is not None else None
        if self.story is not None and question is not None and self.story.state == "NEEDS_PERSON":
            if self.query_one(Prompt).text:  # nobody is torn away from what they write
                self._notify(f"It needs you: {question.text} /resume shows it.")
            else:
                self._ask(question)
        elif self.story is not None and is_possible("accept", self.story, at_work=False):
            # The focus stays where the person writes: there no letter accepts anything.
            self._notify("/accept applies this change, /reject WORDS has another made, /edit changes it.")
        if not self.app.app_focus:
            self.app.bell()

    def _ask(self, question: Question) -> None:
        assert self.story is not None
        session = self.story.session

        def decided(answer: str | None) -> None:
            if answer is None:
                self._notify("It waits for your answer: /resume asks again.")
            else:
                self._do(lambda: self.control.answer(session, answer))

        self.app.push_screen(QuestionDialog(question, ascii_only=self.treadle.ascii_only), decided)

    def _to_the_activity(self) -> None:
        """Where keys act on what came."""
        self.query_one("#activity" if self.query_one("#activity").display else f"#{self._pane}").focus()

    # ------------------------------------------------------------ drawing

    def on_resize(self, event: events.Resize) -> None:
        """Three panes, two or one, by the room that there is."""
        self._arrange()
        self.call_after_refresh(self.draw)

    def _arrange(self) -> None:
        width = self.app.size.width
        if width >= _WIDE:
            shown: tuple[str, ...] = _PANES
        elif width >= _MIDDLE:
            shown = ("activity", "code") if self._pane != "outline" else ("outline", "activity")
        else:
            shown = (self._pane,)
        for name in _PANES:
            self.query_one(f"#{name}").display = name in shown

    def draw(self) -> None:
        """Draw the session as it is."""
        self._drawn_at = time.monotonic()
        view = self._view
        if view is None or not self.query(RowView):  # nothing to show, or the screen is being taken down
            return
        for name, rows in (("activity", view.activity), ("outline", view.outline)):
            pane = self.query_one(f"#{name}", RowView)
            if pane.display:
                pane.show(rows(self._width_of(pane)))
        self._draw_code()
        self.query_one(Header).tell(view.facts(working=self.control.working == view.story.session))
        self._offer()

    def _draw_code(self) -> None:
        outline, code = self.query_one("#outline", RowView), self.query_one("#code", RowView)
        if self._view is not None and code.display:
            line = outline.line if outline.has_focus else None
            attempt = line if line is not None and line.kind == "attempt" and line.diff else None
            code.show(self._view.code(self._width_of(code), attempt))

    def _width_of(self, pane: RowView) -> int:
        return pane.scrollable_content_region.width or self.app.size.width

    def _offer(self) -> None:
        """Have the keys shown that lead somewhere now, where they are others than before."""
        at_work = bool(self.control.working)
        offered = tuple(action for action in ACTIONS if is_possible(action, self.story, at_work=at_work))
        if offered != self._offered:
            self._offered = offered
            self.query_one(Prompt).at_work = at_work
            self.refresh_bindings()

    # ------------------------------------------------------------ what the person wants

    @on(RowView.Toggled)
    def _toggled(self, message: RowView.Toggled) -> None:
        message.stop()
        if self._view is not None:
            turn = self._view.turn_change if message.view.id == "code" else self._view.turn
            turn(message.line, message.opened)
            self.draw()

    @on(RowView.Moved)
    def _moved(self, message: RowView.Moved) -> None:
        message.stop()
        if message.view.id == "outline":
            self._draw_code()

    @on(Prompt.Sent)
    def _sent(self, message: Prompt.Sent) -> None:
        message.stop()
        self.query_one(Told).forget()
        try:
            self._obey(understood(message.text))
        except TreadleError as error:
            self._notify(str(error), grave=True)
            self.query_one(Prompt).give_back(message.text)

    @on(Prompt.Left)
    def _left(self, message: Prompt.Left) -> None:
        message.stop()
        self._to_the_activity()

    def _obey(self, spoken: Spoken) -> None:
        def fix(project: Project) -> Task:
            return fix_task(project, spoken.rest)

        def run(project: Project) -> Task:
            return run_task(project, spoken.rest)

        match spoken.word:
            case "fix":
                self.control.start(fix)
            case "run":
                self.control.start(run)
            case "reject" | "another":
                self._speak_against(spoken.rest, another=spoken.word == "another")
            case "help":
                self.app.action_show_help_panel()
            case "quit":
                self.app.exit()
            case word if is_possible(word, self.story, at_work=bool(self.control.working)):
                getattr(self, f"action_{word}")()
            case word:
                raise UsageError(f"/{word} leads nowhere now: {where_it_stands(self.story)}")

    def action_stop(self) -> None:
        """Stop the session that is at work."""
        self.control.stop()

    def action_accept(self) -> None:
        """Apply the patch."""
        if self.story is not None:
            session = self.story.session
            self._do(lambda: self._apply(session))

    def _apply(self, session: str) -> None:
        if not self.control.accept(session):
            self._say_from_thread("The files are as the patch makes them already.")

    def action_reject(self) -> None:
        """Say in the input why it will not do."""
        prompt = self.query_one(Prompt)
        prompt.focus()
        prompt.give_back("/reject ")

    def action_another(self) -> None:
        """Have it tried by another approach."""
        self._speak_against("", another=True)

    def _speak_against(self, words: str, *, another: bool) -> None:
        if not is_possible("reject", self.story, at_work=bool(self.control.working)):
            raise UsageError("there is no attempt that something could be said of now")
        assert self.story is not None
        session = self.story.session
        self._do(lambda: self.control.speak_against(session, words, another=another))

    @work
    async def action_edit(self) -> None:
        """Change the last attempt, and have it tried."""
        from treadle.tui.screen.edit_screen import EditScreen  # the first paint does not wait for it

        assert self.story is not None
        session = self.story.session
        edited = await self.app.push_screen_wait(EditScreen(self.control.candidate(session)))
        if edited is not None:
            self._do(lambda: self.control.speak_against(session, "", files=edited))

    def action_undo(self) -> None:
        """Take the patch back."""
        if self.story is not None:
            session = self.story.session
            self._do(lambda: self.control.undo(session))

    def action_resume(self) -> None:
        """Go on with the session, or ask again what it rests on."""
        self.query_one(Told).forget()
        if self.story is None:
            return
        if self.story.question is not None and self.story.state == "NEEDS_PERSON":
            self._ask(self.story.question)
        else:
            session = self.story.session
            self._do(lambda: self.control.resume(session))

    def action_open_all(self) -> None:
        """Open everything, or close it again."""
        if self._view is not None:
            self._view.turn_all()
            self.draw()

    def action_next_pane(self) -> None:
        """Show the next pane, and go there."""
        self._pane = _PANES[(_PANES.index(self._pane) + 1) % len(_PANES)]
        self._arrange()
        self.query_one(f"#{self._pane}").focus()
        self.call_after_refresh(self.draw)

    @work
    async def action_sessions(self) -> None:
        """Find a session, and show it."""
        from treadle.tui.pages.sessions import SessionsPage  # as above

        chosen = await self.app.push_screen_wait(SessionsPage(self.control, self._glyphs))
        if chosen is not None:
            try:
                self.open_session(chosen)
            except TreadleError as error:  # deleted meanwhile, or of a log that can't be read any more
                self._notify(str(error), grave=True)
            self._to_the_activity()

    def action_write(self, begins: str = "") -> None:
        """To the input, in which that is written if nothing else is."""
        prompt = self.query_one(Prompt)
        prompt.focus()
        prompt.give_back(begins)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what is possible now is offered."""
        return is_possible(action, self.story, at_work=bool(self.control.working))

    @work(thread=True)
    def _do(self, what) -> None:  # type: ignore[no-untyped-def]
        try:
            what()
        except TreadleError as error:
            self._say_from_thread(str(error), grave=True)

    def _say_from_thread(self, text: str, *, grave: bool = False) -> None:
        self.app.call_from_thread(self._notify, text, grave=grave)

    def _notify(self, text: str, *, grave: bool = False) -> None:
        self.query_one(Told).tell(text, grave=grave)
