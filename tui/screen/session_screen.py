"""The screen of a session: its outline, what happened, the code that changes, and the input.

What a person can do here is in `actions.py`, how it is done in `acts.py`.
"""

from __future__ import annotations

import gc
import time
from collections import deque
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal

from treadle.core.errors import TreadleError, UsageError
from treadle.core.records import Question
from treadle.tui.actions import ACTIONS, is_possible, where_it_stands, why_not
from treadle.tui.control.mailbox import Began, Interrupted, Mail, Notice, Rested
from treadle.tui.screen.completion import Choice, Completion, completions
from treadle.tui.screen.session_keys import bindings
from treadle.tui.spoken import Spoken, numbered, understood
from treadle.tui.widgets.header import Facts, Header
from treadle.tui.widgets.keys_that_fit import KeysThatFit
from treadle.tui.widgets.layout import Glyphs
from treadle.tui.widgets.prompt import Prompt
from treadle.tui.widgets.row_view import RowView
from treadle.tui.widgets.told import Told
from treadle.tui.widgets.unsaved import Texts, Unsaved

if TYPE_CHECKING:
    from treadle.core.config.screen_settings import ScreenSettings
    from treadle.tui.control.control import Control
    from treadle.tui.screen.acts import Acts
    from treadle.tui.screen.app import TreadleApp
    from treadle.tui.screen.edit_screen import EditScreen
    from treadle.tui.screen.find_bar import FindBar
    from treadle.tui.screen.hunks_screen import HunksScreen
    from treadle.tui.screen.session_view import SessionView
    from treadle.tui.story.line import Line
    from treadle.tui.story.story import Story

_REDRAW_RUNNING_S = 0.5
_WIDE, _MIDDLE = 120, 100
_EMPTY = {
    "outline": "",
    "activity": "What should change? Or send /fix to repair failing tests; /help says more.",
    "code": "The change shows here.",
}
PANES = tuple(_EMPTY)

_SOON_WRITTEN = 40
"""Characters that are written again as soon as the warning that they would be lost is read."""


class SessionScreen(Unsaved[None]):
    """Shows one session, the one that runs or any other of the project, and takes what the person wants."""

    LOSES = "You have not sent what you wrote"
    KEEPS = ", enter sends it"
    HELP_OF: ClassVar[dict[str, str]] = {
        "prompt": "The input: a task in your words, or a command after a slash. @ names a file of the project. "
        "Up in the first line brings what you sent before, down in the last one goes back.",
        "outline": "The outline: the session's stages and attempts. The code pane shows the attempt under the cursor.",
        "activity": "The activity: what happened, one line a stage. Enter opens a line, or closes it.",
        "code": "The code: what the change does to your files. Nothing is changed before you accept it.",
        "words": "The search: enter goes to the next place, escape ends it.",
    }
    DEFAULT_CSS = """
    SessionScreen #panes { height: 1fr; }
    SessionScreen RowView { width: 1fr; border-left: blank; border-top: none; padding: 0 1 0 0; }
    SessionScreen RowView:focus { border-left: heavy $border; }
    SessionScreen #outline { width: 30; }
    SessionScreen #activity { width: 3fr; }
    SessionScreen #code { width: 2fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(),
        Binding("i", "write", "Write", show=False, id="session-write"),
        Binding("slash", "write('/')", "A command for the input", show=False, id="session-command"),
    ]

    def __init__(self, control: Control, glyphs: Glyphs, preferences: ScreenSettings) -> None:
        super().__init__()
        self.control = control
        self.glyphs = glyphs
        self.view: SessionView | None = None
        self._pane = "activity"
        self._drawn_at = 0.0
        self._passed_over = False
        self._offered: tuple[str, ...] = ()
        self._sent_now = ""
        self._begun_with = ""
        """What was sent to begin a session that is not there yet."""
        self.kept_edit: EditScreen | None = None
        """An editor that is gone, with what the person had written in it, and the session has not taken yet."""
        self.kept_hunks: HunksScreen | None = None
        """The same, with the hunks that they had taken."""
        self.patch_asked_for = False
        """Whether the person has asked for something to be done with the patch, and nothing has come of it yet."""
        # Made here and not in `compose`, so that they are there for whoever has something to say before they are shown.
        self.header = Header(Facts(project=control.root.name))
        self.prompt = Prompt("What should change?   /fix repairs failing tests, /help says more", preferences.keys)
        self.prompt.cursor_blink = preferences.motion == "full"
        self.told = Told()
        self._completion = Completion()
        self._find_bar: FindBar | None = None
        self._panes = {name: RowView(id=name, empty=empty) for name, empty in _EMPTY.items()}

    @property
    def story(self) -> Story | None:
        """The story that it shows."""
        return self.view.story if self.view is not None else None

    @property
    def treadle(self) -> TreadleApp:
        """The app that it belongs to."""
        return self.app  # type: ignore[return-value]

    @cached_property
    def _acts(self) -> Acts:
        from treadle.tui.screen.acts import Acts  # the first paint does not wait for it

        return Acts(self)

    def compose(self) -> ComposeResult:
        """The header, three panes, the input, and the keys."""
        yield self.header
        with Horizontal(id="panes"):
            yield from self._panes.values()
        yield self.told
        yield self._completion
        yield self.prompt
        yield KeysThatFit()

    def on_mount(self) -> None:
        """The input has the focus."""
        self.pane("activity").follows = True
        self._arrange()
        self.prompt.focus()

    def furnish(self) -> FindBar:
        """Put in what the first paint does not wait for; the search, which is there from then on."""
        from treadle.tui.screen.find_bar import FindBar

        if self._find_bar is None:
            self._find_bar = FindBar()
            self.mount(self._find_bar, before=self.told)
        return self._find_bar

    # ------------------------------------------------------------ its parts

    def pane(self, name: str) -> RowView:
        """One of the panes."""
        return self._panes[name]

    @property
    def pane_in_use(self) -> RowView:
        """The pane that has the focus; where none has, the activity, or the one that there is room for."""
        if isinstance(self.focused, RowView):
            return self.focused
        activity = self.pane("activity")
        return activity if activity.display else self.pane(self._pane)

    @property
    def attempt_in_use(self) -> Line | None:
        """The attempt on which the outline's cursor stands while it has the focus, None for any other line."""
        outline = self.pane("outline")
        line = outline.line if outline.has_focus else None
        return line if line is not None and line.kind == "attempt" else None

    @property
    def choice_in_use(self) -> Line | None:
        """The change on which the cursor stands in a pane, where it is one of those to choose from."""
        pane = self.focused
        line = pane.line if isinstance(pane, RowView) else None
        return line if line is not None and self.story is not None and self.story.can_be_chosen(line) else None

    # ------------------------------------------------------------ what it hears

    def hear(self, mail: deque[Mail]) -> None:
        """Take in what has come, and draw once. Of what breaks here, the rest stays for who hears it next."""
        changed = bool(mail)
        view, before = self.view, self._patch_is
        while mail:
            item = mail.popleft()
            if isinstance(item, Notice):
                self.tell(item.text, grave=item.grave)
            elif isinstance(item, Began):
                self._begun_with = ""
                self._show_session(item.session)
            elif isinstance(item, Rested):
                self._rested(item)
            elif self.story is not None and item.session == self.story.session:
                if not isinstance(item, Interrupted):
                    self.story.fold(item)
                elif self.control.working != item.session:
                    self._interrupt(self.story)
        running = self.story is not None and self.story.working and self.control.at_work
        if self.story is not None and self.view is view and self._patch_is not in (before, "in part"):
            self._tell_how_it_stands(f"{self._patch_is}: {self.story.patched}", answers=self.patch_asked_for)
            self.patch_asked_for = False
        if changed or (running and time.monotonic() - self._drawn_at > _REDRAW_RUNNING_S):
            self.draw()

    @property
    def _patch_is(self) -> str:
        """What was done last with the patch of the session, in a word."""
        story = self.story
        if story is None or not (story.applied or story.half_applied):
            return "Taken back"
        return "Applied" if story.applied else "in part"

    def open_session(self, session: str) -> None:
        """Show a session that is in the log."""
        store = self.control.project.store
        session = store.session(session).id
        # Before it is read, since what ends meanwhile has logged that, and after that, since another may have begun.
        was_at_work = self.control.is_at_work_elsewhere(session)
        self._show_session(session)
        assert self.story is not None
        self.story.fold_all(store.events(session))
        self.control.follow(session, self.story.seq)
        if self.control.is_at_work_elsewhere(session):
            self._tell_how_it_stands("This session is at work in another program; what it does shows here as it comes.")
        elif self.control.working != session and not was_at_work:
            self._interrupt(self.story)
        self.draw()
        self.call_after_refresh(self._pass_over_what_stays)

    def _interrupt(self, story: Story) -> None:
        """Nobody is at work on it, though its log knows of no rest."""
        story.interrupt()
        if story.interrupted:
            self._tell_how_it_stands("/resume goes on where it was.")

    def _pass_over_what_stays(self) -> None:
        """Have the garbage collector pass over all that is there: a long session's lines stay, and looking through them
        again and again would hold keys up, for 30 ms of the slowest hundredth in tests/benchmarks/bench_screen.py. What
        is left of the session that was shown before goes first."""
        if self._passed_over:
            gc.unfreeze()
        self._passed_over = True
        gc.collect()
        gc.freeze()

    def open_copy(self, session: str) -> None:
        """Show a copy that the person has just made: they want to go on with it, so what it rests on is asked."""
        self.open_session(session)
        self.call_later(self._ask_what_it_rests_on)

    def close_session(self) -> None:
        """Show none: what is written next begins one."""
        self.view = None
        self.control.follow("", 0)
        for name in PANES:
            self.pane(name).show([])
        self.header.tell_of()
        self._offer()

    def _show_session(self, session: str) -> None:
        """Show that session; where it is the one that is shown, as the person looks at it."""
        if self.story is not None and self.story.session == session:
            return
        from treadle.tui.control.control import LogReader
        from treadle.tui.screen.session_view import SessionView  # the first paint does not wait for them

        self.view = SessionView(
            session,
            LogReader(lambda: self.control.project.store, session),
            lambda attempt: self.control.candidate(session, attempt),
            on_unfit=self.control.log_crash,
            opens=self.treadle.preferences.opens,
            ascii_only=self.treadle.ascii_only,
        )

    def _rested(self, rested: Rested) -> None:
        if rested.error:
            self._tell_how_it_stands(rested.error, grave=True)
            if not rested.session:  # none has begun
                self.prompt.give_back(self._begun_with)
                self._begun_with = ""
        self._offer()
        story = self.story
        if story is None or not rested.session:
            return
        if story.session != rested.session:  # the person looks at another one
            why = f"session {rested.session} is at work no more"
            self._tell_how_it_stands(f"{why.capitalize()}; /sessions opens it.")
            self.treadle.call_the_person(why)
            return
        question = story.question
        if question is not None and story.state == "NEEDS_PERSON":
            if self.prompt.text:  # nobody is torn away from what they write
                self._tell_how_it_stands(f"It needs you: {question.text} /resume shows it.")
            else:
                self.ask(question)
        elif self.can("accept"):
            self.tell_of_the_patch()
        elif story.state == "OVER_BUDGET" and not rested.error:
            self._tell_how_it_stands(
                "/budget USD raises what models may cost, /resume goes on; other budgets are settings (f10)."
            )
        self.treadle.call_the_person(where_it_stands(story))

    def tell_of_the_patch(self) -> None:
        """Say what can be done with the patch, where it waits for that."""
        if self.can("accept"):
            # By commands: the focus may be where the person writes, and there no letter accepts anything.
            choose = ", /choose NUMBER takes another" if self.story is not None and self.story.choices else ""
            self._tell_how_it_stands(
                f"/accept applies this change{choose}, /reject WORDS has another made, /edit changes it."
            )

    def _ask_what_it_rests_on(self) -> None:
        story = self.story
        if story is None or not self.is_current or self.prompt.text:
            return
        if story.question is not None and story.state == "NEEDS_PERSON" and self.can("resume"):
            self.ask(story.question)

    def ask(self, question: Question) -> None:
        """Put a question to the person; their answer goes on with the session."""
        from treadle.tui.widgets.question_dialog import QuestionDialog  # the first paint does not wait for it

        assert self.story is not None
        session = self.story.session

        def decided(answer: tuple[str, str] | None) -> None:
            if answer is None:
                says = ", /reject WORDS says what should be otherwise" if question.with_words else ""
                self._tell_how_it_stands(f"It waits for your answer: /resume asks again{says}.")
            else:
                self.in_thread(lambda: self.control.answer(session, *answer))

        dialog = QuestionDialog(question, ascii_only=self.treadle.ascii_only)
        self.app.push_screen(dialog, self.treadle.walled(decided))

    # ------------------------------------------------------------ drawing

    def on_paste(self, event: events.Paste) -> None:
        """What is pasted where nothing can be written is for the input."""
        if self.focused is None or isinstance(self.focused, RowView):
            self.set_focus(self.prompt)
            self.prompt.insert(event.text)

    def on_resize(self, event: events.Resize) -> None:
        """Three panes, two or one, by the room that there is."""
        self._arrange()
        self.call_after_refresh(self.draw)

    def _arrange(self) -> None:
        width = self.app.size.width
        if self._pane == "code" and self.view is not None and self.view.change.mode == "side by side":
            shown: tuple[str, ...] = ("code",)
        elif width >= _WIDE:
            shown = PANES
        elif width >= _MIDDLE:
            shown = ("activity", "code") if self._pane != "outline" else ("outline", "activity")
        else:
            shown = (self._pane,)
        for name in PANES:
            self.pane(name).display = name in shown

    def prefer(self, preferences: ScreenSettings) -> None:
        """Look and behave as the person wants it from now on."""
        self.prompt.cursor_blink = preferences.motion == "full"
        if self.view is not None:
            self.view.openings.policy = preferences.opens
            self.draw()

    def draw(self, *, stays: bool = False) -> None:
        """Draw the session as it is. `stays`: no pane goes to its end for that."""
        self._drawn_at = time.monotonic()
        view = self.view
        if view is None or not self.is_mounted:  # nothing to show, or nowhere to show it
            return
        view.limit_usd, view.limit_tokens = self.header.budget, self.header.facts.limit_tokens
        for name, rows in (("activity", view.activity), ("outline", view.outline)):
            pane = self.pane(name)
            if pane.display:
                pane.show(rows(self._width_of(pane)), stays=stays)
        self._draw_code()
        working = self.control.working == view.story.session
        self.header.tell_of(view.facts(working=working, own_budget="budget.usd" not in self.control.choices.settings))
        self._offer()

    def _draw_code(self) -> None:
        code = self.pane("code")
        if self.view is not None and code.display:
            attempt = self.attempt_in_use
            code.show(self.view.code(self._width_of(code), attempt if attempt and attempt.diff else None))

    def show_what_changes(self) -> None:
        """Go to where the change begins, in the code."""
        if self.view is not None:
            self.pane("code").go_to(self.view.change.begins_at)

    def _width_of(self, pane: RowView) -> int:
        return pane.scrollable_content_region.width or self.app.size.width

    def _offer(self) -> None:
        """Have the keys shown that lead somewhere now, where they are others than before, and what is told no more that
        does not hold any more."""
        self.told.only_what_holds()
        offered = tuple(action.name for action in ACTIONS if self.can(action.name))
        if offered != self._offered:
            self._offered = offered
            self.prompt.at_work = self.control.at_work
            self.refresh_bindings()

    def show_pane(self, name: str) -> None:
        """Make room for that pane, and go there."""
        self._pane = name
        self._arrange()
        self.set_focus(self.pane(name))  # now, and not with a message: the next key is for it
        self.call_after_refresh(self.draw)

    # ------------------------------------------------------------ what would be lost

    def unsaved(self) -> Texts:
        """What was written in the input and never sent."""
        return [("task", text) for text in self.prompt.unsent]

    def at_stake(self) -> Texts:
        """The same, but nothing where it is a few words that no command says."""
        few = sum(map(len, self.prompt.unsent)) <= _SOON_WRITTEN and not any(map(_says, self.prompt.unsent))
        return [] if few else self.unsaved()

    def kept_texts(self) -> Texts:
        """What was written in an editor that is gone."""
        return self.kept_edit.unsaved() if self.kept_edit is not None else []

    # ------------------------------------------------------------ what the person wants

    @on(RowView.Toggled)
    def _toggled(self, message: RowView.Toggled) -> None:
        message.stop()
        if self.view is not None:
            opened = self.view.change if message.view.id == "code" else self.view.openings
            opened.turn(message.line, message.opened)
            # Of what runs, the latest is wanted; of all else the beginning, below the line that was opened.
            self.draw(stays=message.line.state != "running")

    @on(RowView.Resized)
    def _resized(self, message: RowView.Resized) -> None:
        message.stop()
        self.draw()

    @on(RowView.Moved)
    def _moved(self, message: RowView.Moved) -> None:
        message.stop()
        if message.view.id == "outline":
            self._draw_code()

    @on(Prompt.Changed)
    def _written(self, message: Prompt.Changed) -> None:
        self._complete(self.prompt.written_before_cursor)

    @work(thread=True, exclusive=True, group="completing")
    def _complete(self, before: str) -> None:
        app = self.treadle
        try:
            found = completions(before, self.control.files, self.can)
        except TreadleError as error:
            app.call_from_thread(self.tell, str(error), grave=True)
            found = []
        app.call_from_thread(self._offer_to_go_on, before, found)

    def _offer_to_go_on(self, before: str, found: list[Choice]) -> None:
        if before == self.prompt.written_before_cursor:  # else the person has written on, and another look is under way
            self._offer_completions(found)

    def _offer_completions(self, found: list[Choice]) -> None:
        self._completion.offer(found)
        self.prompt.completing = bool(found)

    @on(Prompt.Completed)
    def _completed(self, message: Prompt.Completed) -> None:
        message.stop()
        completion = self._completion
        if message.step:
            completion.move(message.step)
        elif taken := completion.taken():
            self.prompt.complete(taken)

    @on(Prompt.Scrolled)
    def _scrolled(self, message: Prompt.Scrolled) -> None:
        message.stop()
        self.pane_in_use.action_page(message.pages)

    @on(Prompt.Sent)
    def _sent(self, message: Prompt.Sent) -> None:
        message.stop()
        self.told.forget()
        self._offer_completions([])
        self._sent_now = message.text
        try:
            self._obey(understood(message.text))
        except TreadleError as error:
            self._tell_trouble(error, message.text)
        finally:
            self._sent_now = ""

    @on(Prompt.Left)
    def _left(self, message: Prompt.Left) -> None:
        message.stop()
        self.pane_in_use.focus()

    def _obey(self, spoken: Spoken) -> None:
        if spoken.word != "run" and not self.can(spoken.word):
            raise UsageError(f"/{spoken.word} leads nowhere now: {self._why_not(spoken.word)}")
        self._acts.do(spoken.word, spoken.rest)
        if spoken.word in ("run", "plan", "fix"):
            self._begun_with = self._sent_now
            # The first one of all may take some seconds, and nobody is to think that they were not heard.
            self.told.tell("It begins…", holds=lambda: bool(self._begun_with))
            self._offer()

    def can(self, name: str) -> bool:
        """Whether the action leads anywhere now."""
        return is_possible(name, self.story, at_work=self.control.at_work)

    def _why_not(self, name: str) -> str:
        return why_not(name, self.story, at_work=self.control.at_work)

    def action_act(self, name: str) -> None:
        """Do what the key stands for."""
        try:
            self._acts.do(name, "")
        except TreadleError as error:
            self.answer(str(error), grave=True)

    def action_write(self, begins: str = "") -> None:
        """To the input, in which that is written if nothing else is."""
        self.set_focus(self.prompt)
        self.prompt.give_back(begins)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what is possible now is offered."""
        return self.can(str(parameters[0])) if action == "act" else super().check_action(action, parameters)

    def in_thread(self, what: Callable[[], str | None], *, alone: bool = False) -> None:
        """Do what may take a while; what it says is told, and so is what is wrong: then what was sent for it is given
        back. `alone`: in place of what was begun so before, whose worker is cancelled."""
        (self._alone_in_thread if alone else self._in_thread)(what, self._sent_now)

    @work(thread=True)
    def _in_thread(self, what: Callable[[], str | None], sent: str) -> None:
        self._do(what, sent)

    @work(thread=True, exclusive=True, group="alone")
    def _alone_in_thread(self, what: Callable[[], str | None], sent: str) -> None:
        self._do(what, sent)

    def _do(self, what: Callable[[], str | None], sent: str) -> None:
        app = self.treadle  # which may have made another screen of a session by the end of it
        try:
            said = what()
        except TreadleError as error:
            app.call_from_thread(app.session_screen._tell_trouble, error, sent)
        except Exception as error:
            if isinstance(error, OSError) and (why := _of_the_disk(error)):
                app.call_from_thread(app.session_screen._tell_trouble, UsageError(why), sent)
                return
            app.call_from_thread(app.session_screen.prompt.give_back, sent)
            raise  # it is told, and logged, by the wall around workers
        else:
            if said:
                app.call_from_thread(app.session_screen.answer, said)

    def _tell_trouble(self, error: TreadleError, sent: str) -> None:
        self.answer(str(error), grave=True)
        self.prompt.give_back(sent)

    @property
    def _standing(self) -> tuple[object, ...]:
        """How things stand: of what session, whether it rests and in which state, and whether one is at work."""
        story = self.story
        if story is None:
            return (bool(self.control.working),)
        rests_in = not story.working and story.state
        patch = (story.applied, story.half_applied)
        return (bool(self.control.working), story.session, rests_in, story.interrupted, *patch)

    def _as_it_stands(self) -> Callable[[], bool]:
        """Whether things stand as they do now."""
        now = self._standing
        return lambda: self._standing == now

    def _tell_how_it_stands(self, text: str, *, grave: bool = False, answers: bool = False) -> None:
        """Tell the person something that is true as long as things stand like that. `answers`: it came of what they did
        last."""
        self.told.tell(text, grave=grave, holds=self._as_it_stands(), answers=answers)

    def answer(self, text: str, *, grave: bool = False) -> None:
        """Tell the person what came of what they did: until something else comes of something, or things stand
        otherwise."""
        self.treadle.hear()  # what was logged in doing it, so that it is told of how things stand after that
        self.patch_asked_for = False
        self._tell_how_it_stands(text, grave=grave, answers=True)

    def tell(self, text: str, *, grave: bool = False) -> None:
        """Tell the person something."""
        self.told.tell(text, grave=grave)


def _says(text: str) -> bool:
    """Whether it is a command that says why something will not do, with words: a person has thought about these."""
    command, _, words = text.strip().partition(" ")
    return command in ("/reject", "/retry") and bool(numbered(words.strip())[1])


def _of_the_disk(error: OSError) -> str:
    from treadle.core.config.own_file import why_not_written  # with the first one

    return why_not_written(error)
