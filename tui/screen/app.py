"""The app: it opens the project, hands the session's screen what has come, and is the wall around its parts."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, ParamSpec

from textual import events, work
from textual._context import active_message_pump
from textual.actions import ActionParseResult
from textual.app import App
from textual.binding import Binding, BindingType
from textual.command import Provider
from textual.constants import TEXTUAL_ANIMATIONS
from textual.filter import LineFilter
from textual.screen import Screen
from textual.worker import WorkerFailed

from treadle.core.config.screen_settings import ScreenSettings
from treadle.core.errors import TreadleError, UsageError
from treadle.core.nearest import did_you_mean
from treadle.core.records import RunChoices
from treadle.core.tree.branch import branch_of
from treadle.tui.control.control import Control
from treadle.tui.control.machine import Load, load_now
from treadle.tui.control.mailbox import Mail, Mailbox
from treadle.tui.exit_codes import ExitCode
from treadle.tui.safe_text import clean_line
from treadle.tui.screen.kept import keep, tell_of_kept
from treadle.tui.screen.keys_in_order import KeysInOrder
from treadle.tui.screen.session_keys import ANYWHERE
from treadle.tui.screen.session_screen import SessionScreen
from treadle.tui.screen.speaks_unicode import speaks_unicode
from treadle.tui.screen.themes import HIGH_CONTRAST, NAMES
from treadle.tui.screen.threads import Threads
from treadle.tui.widgets.ascii_only import AsciiOnly
from treadle.tui.widgets.harmless import Harmless
from treadle.tui.widgets.header import Facts
from treadle.tui.widgets.layout import ASCII, UNICODE
from treadle.tui.widgets.told import Told
from treadle.tui.widgets.unsaved import Texts, Unsaved, keeping

if TYPE_CHECKING:
    from treadle.tui.pages.settings import SettingsPage
    from treadle.tui.screen.edit_screen import EditScreen

LOOKS_A_SECOND, AT_REST = 10, 4
"""How often it looks whether something has come: while a session is at work, or something came a moment ago; and else.
A look costs more than all that is in it."""

MEASURES_EVERY_S = 3.0
"""Seconds between two looks at how busy the machine is."""

FOLLOWS_EVERY_S = 1.0
"""Seconds between two looks at what other programs have logged of the session that is shown."""

OPENS_AFTER_S = 0.2
"""So long after the first paint it opens the project, if nothing has asked for it yet: the paint comes first."""

MOST_SAID = 100
"""Sessions whose tasks the input remembers."""

KEYS_TAKE_S = 5.0
"""For no longer the keys that have come keep the screen from being ended: a part that hangs may take none."""

UNTOUCHED_S = 30.0
"""Who has pressed no key for so long may look elsewhere, where the terminal does not tell."""

MOST_CRASHES, WITHIN_S = 3, 60.0
"""A screen that breaks more often than that is given up."""

P = ParamSpec("P")


def _palette() -> type[Provider]:
    from treadle.tui.screen.palette import Possible  # with the first look into it

    return Possible


class TreadleApp(App[None]):
    """Treadle's full screen, for the project at `root`."""

    TITLE = "treadle"
    ENABLE_COMMAND_PALETTE = True
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {_palette}
    BINDINGS: ClassVar[list[BindingType]] = [*ANYWHERE]

    def __init__(
        self,
        root: Path,
        choices: RunChoices | None = None,
        preferences: ScreenSettings = ScreenSettings(),  # noqa: B008 - it is frozen
        *,
        survives: bool = False,
    ) -> None:
        """`survives`: a part that breaks is told and made anew; else the app ends with it, as tests want it."""
        super().__init__()
        self.mailbox = Mailbox()
        self._unheard: deque[Mail] = deque()
        self.preferences = preferences
        self.control = Control(root, self.mailbox, choices)
        self.ascii_only = not speaks_unicode(os.environ)
        self.glyphs = ASCII if self.ascii_only else UNICODE
        self._walls: tuple[LineFilter, ...] = (Harmless(), AsciiOnly()) if self.ascii_only else (Harmless(),)
        self.session_screen = SessionScreen(self.control, self.glyphs, preferences)
        self._survives = survives
        self._crashes: list[float] = []
        self._broken: list[str] = []
        """Why the session's screen is to be made anew. As long as it is, nothing is heard: it is for the new one."""
        self.threads = Threads()
        self._keys = KeysInOrder(self, super().on_event)
        self._touched_at = time.monotonic()
        self._hears_of_focus = False
        self.kept: list[str] = []
        """What is said of what was written and not saved, which is kept in files; once more when the screen is closed.
        """
        self._is_left = False
        self._began_at = time.time()
        self.crash: Exception | None = None
        """What the screen was given up for."""
        self.set_keymap(preferences.keys)
        if preferences.motion == "reduced":
            self.animation_level = "none"

    def on_mount(self) -> None:
        """Show the session's screen."""
        asyncio.get_running_loop().set_default_executor(self.threads)
        self.register_theme(HIGH_CONTRAST)
        self.theme = NAMES[self.preferences.theme]
        self.push_screen(self.session_screen)
        self.set_interval(1 / AT_REST, self.hear)
        self._often = self.set_interval(1 / LOOKS_A_SECOND, self.hear)
        self.set_interval(MEASURES_EVERY_S, self._measure)
        self.set_interval(FOLLOWS_EVERY_S, self._follow)
        self.session_screen.call_after_refresh(self._painted)

    def _painted(self) -> None:
        self.set_timer(OPENS_AFTER_S, self.learn)
        self.set_timer(OPENS_AFTER_S, self._tell_of_kept)

    def hear(self) -> None:
        """Have the session's screen hear what has come."""
        come = self.mailbox.take()
        self._unheard.extend(come)
        story = self.session_screen.story
        is_at_work = bool(come) or (story is not None and story.working)
        (self._often.resume if is_at_work else self._often.pause)()
        if not self._broken:
            self.walled(self.session_screen.hear)(self._unheard)

    async def on_event(self, event: events.Event) -> None:
        """A key is heard once those before it are done with."""
        if isinstance(event, events.InputEvent):
            self._touched_at = time.monotonic()
        elif isinstance(event, events.AppFocus | events.AppBlur):
            self._hears_of_focus = True
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            await self._keys.hear(event)
        else:
            await super().on_event(event)

    async def run_action(self, action: str | ActionParseResult, *args: Any, **kwargs: Any) -> bool:
        """Do what a key stands for. What breaks in it is a part of the screen, not the app that has read the key."""
        try:
            return await super().run_action(action, *args, **kwargs)
        except Exception as error:  # noqa: BLE001 - as above
            self._part_broke(error)
            return True

    @work(thread=True, exclusive=True, group="preparing")
    def learn(self) -> None:
        """Open the project, or what it is by now, and have the screen know of it."""
        try:
            self.control.project.store.sessions(1)
        except TreadleError as error:  # now, and not with the first session: the person's keys do not hold either
            self.call_from_thread(self.session_screen.tell, str(error), grave=True)
        self.call_from_thread(self._know, *self._known())
        if self.preferences.keys:
            self._tell_wrong_keys()

    @work(thread=True)
    def _tell_of_kept(self) -> None:
        if self.kept:  # something of this very start was kept, and is told of; what is of an earlier one waits
            return
        told = self.session_screen.tell
        tell_of_kept(self.control.root, self._began_at, lambda text: self.call_from_thread(told, text))

    def _known(self) -> tuple[Facts, tuple[str, ...]]:
        """What the header says of the place, and what the person has asked for before, the latest last."""
        place = Facts(project="", branch=branch_of(self.control.root))
        try:
            project = self.control.project
            own = (row for row in reversed(project.store.sessions(MOST_SAID)) if row.own)
            said = tuple(row.task.text for row in own if row.task.kind == "run")
            budget = project.settings.budget
            return replace(place, limit_usd=budget.usd, limit_tokens=budget.tokens), said
        except TreadleError:
            return place, ()

    def _tell_wrong_keys(self) -> None:
        """Say what is wrong with the setting `screen.keys`."""
        from treadle.tui.screen.key_names import wrong  # it loads every page

        for told in wrong(self.preferences.keys):
            self.call_from_thread(self.session_screen.tell, told, grave=True)

    def _know(self, place: Facts, said: tuple[str, ...]) -> None:
        header = self.session_screen.header
        known = header.facts
        header.tell(replace(place, project=known.project, machine=known.machine, alerts=known.alerts))
        self.session_screen.prompt.remember(said)
        if self.session_screen.is_mounted:
            self.session_screen.furnish()

    @work(thread=True, exclusive=True, group="measuring")
    def _measure(self) -> None:
        load = load_now(self.control.root)
        self.call_from_thread(self._tell_load, load)

    @work(thread=True, exclusive=True, group="following")
    def _follow(self) -> None:
        story = self.session_screen.story
        self.control.catch_up(looks_for_its_end=story is not None and story.working and not story.interrupted)

    def _tell_load(self, load: Load) -> None:
        header = self.session_screen.header
        header.tell(replace(header.facts, machine=load.told(), alerts=load.alerts()))

    # ------------------------------------------------------------ what its screens ask of it

    def put_on(self, theme: str) -> None:
        """Wear that theme. Raises `UsageError` for one that there is none of."""
        if theme not in NAMES:
            near = did_you_mean(theme, NAMES)
            raise UsageError(f"there is no theme {theme!r}; {near}there are {', '.join(NAMES)}")
        self.theme = NAMES[theme]

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Nothing that a terminal obeys is drawn. Where it shows ASCII alone, all is brought to that: borders, bars,
        others' text."""
        return [*super().get_line_filters(), *self._walls]

    def get_key_display(self, binding: Binding) -> str:
        """How a key is called; by its name where its sign can't be shown."""
        shown = super().get_key_display(binding)
        return binding.key if self.ascii_only and not shown.isascii() else shown

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what is possible now is offered."""
        if action == "suspend_process":
            return self._driver is not None and self._driver.can_suspend
        return super().check_action(action, parameters)

    def action_suspend_process(self) -> None:
        """To the shell; `fg` comes back."""
        from treadle.tui.screen.to_the_shell import suspend  # with the first time

        suspend(self)

    def action_help_quit(self) -> None:
        """By ctrl+c, where there is nothing to copy: say what leaves."""
        key = next((key for key, active in self.active_bindings.items() if active.binding.action == "quit"), "")
        stops = "escape stops what is at work, " if self.control.at_work else ""
        told = f"ctrl+c copies what is marked; {stops}{key} leaves."
        if isinstance(self.screen, Unsaved):
            self.screen.warn(told)
        else:
            self._telling.tell(told, answers=True)

    @property
    def _telling(self) -> Told:
        """Where the person is told something: on the screen that they see, where that has room for it."""
        return next(iter(self.screen.query(Told)), self.session_screen.told)

    async def action_quit(self) -> None:
        """Leave."""
        self.leave()

    def leave(self) -> None:
        """Leave, but not at the first time where something is written that would be lost: that is told."""
        keeps = keeping([screen for screen in reversed(self._screen_stack) if isinstance(screen, Unsaved)], "leaving")
        if keeps is not None:
            while self.screen is not keeps:  # what lies over it, as the help on it: nothing is written there
                self.pop_screen()
            return
        self._keep(self.session_screen.kept_texts())
        self.exit()

    async def leave_behind_keys(self) -> None:
        """Leave because somebody else wants it, behind the keys that have come, but not later than `KEYS_TAKE_S`."""
        self.set_timer(KEYS_TAKE_S, self.leave_at_once)
        await self._keys.hear(self.leave_at_once)

    def leave_at_once(self) -> None:
        """Leave: what is written and would be lost is kept in files. Keys that come behind that do nothing more."""
        self._keys.rest()
        self.keep_unsaved()
        self.exit(return_code=int(ExitCode.INTERRUPTED))

    def keep_unsaved(self) -> None:
        """Keep what is written and would be lost in files; nothing the second time."""
        if self._is_left:
            return
        self._is_left = True
        written_on = [screen.unsaved for screen in self._screen_stack if isinstance(screen, Unsaved)]
        self._keep(self._written(*written_on, self.session_screen.kept_texts))

    def _written(self, *asked: Callable[[], Texts]) -> Texts:
        """All that these say is written. Who breaks while it is asked takes nothing from the others."""
        texts: list[tuple[str, str]] = []
        for unsaved in asked:
            try:
                texts += unsaved()
            except Exception as error:  # noqa: BLE001 - the wall around a part that goes
                told = f"{type(error).__name__}: {error}"
                self.kept.append(f"Something that you had written could not be read any more ({told}).")
        return texts

    def _keep(self, texts: Texts) -> list[str]:
        """Keep the texts in files; what is said of that, which is said in `kept` as well."""
        try:
            files = keep(self.control.root, texts)
        except OSError as error:
            told = [f"What you had written and not saved could be kept nowhere: {error.strerror or error}"]
        else:
            names = ", ".join(file.name for file in files)
            told = [f"What you had written and not saved is kept in {files[0].parent}: {names}"] if files else []
        self.kept += told
        return told

    def keep_edit(self, editor: EditScreen) -> list[str]:
        """Keep what was written in that editor for the next one. What was kept so of another change makes room, and is
        kept in files: what is said of that."""
        told = self._keep(self.session_screen.kept_texts())
        self.session_screen.kept_edit = editor
        return told

    def action_help(self) -> None:
        """Help on what has the focus; once more closes it."""
        from treadle.tui.screen.help_screen import HelpScreen  # with the first look into it

        if isinstance(self.screen, HelpScreen):
            self.screen.dismiss(None)
        else:
            self.push_screen(HelpScreen(self.screen, self.glyphs))

    def on_settings_page_screen_set(self, message: SettingsPage.ScreenSet) -> None:
        """What the person sets for the screen holds at once."""
        before, now = self.preferences, message.settings
        self.preferences = now
        if now.theme != before.theme:  # else they may have put on another one for a while
            self.theme = NAMES[now.theme]
        self.animation_level = "none" if now.motion == "reduced" else TEXTUAL_ANIMATIONS
        self.session_screen.prefer(now)

    def call_the_person(self, why: str) -> None:
        """Say that a session has come to rest, where they look elsewhere."""
        how = self.preferences.notify
        if how == "never" or not self._looks_elsewhere():
            return
        if how == "desktop" and self._driver is not None:
            self._driver.write(notification(why))
        else:
            self.bell()

    def _looks_elsewhere(self) -> bool:
        """Whether the person does: as the terminal says, and where it has never said anything, by when they did
        something last."""
        untouched = time.monotonic() - self._touched_at >= UNTOUCHED_S
        return not self.app_focus or (untouched and not self._hears_of_focus)

    def copy_to_clipboard(self, text: str) -> None:
        """To the terminal's clipboard (OSC 52), and to that of the desktop where there is one."""
        super().copy_to_clipboard(text)
        self._copy_to_desktop(text)

    @work(thread=True)
    def _copy_to_desktop(self, text: str) -> None:
        import pyperclip  # with the first thing that is copied

        # There is no desktop, or its program for that is gone: the terminal has it.
        with contextlib.suppress(pyperclip.PyperclipException, OSError):
            pyperclip.copy(text)

    # ------------------------------------------------------------ when a part of it breaks

    def walled(self, what: Callable[P, object]) -> Callable[P, None]:
        """The same, with a wall around it: what breaks in it is a part of the screen, and not who has called it, which
        may be the app itself."""

        def does(*args: P.args, **kwargs: P.kwargs) -> None:
            try:
                what(*args, **kwargs)
            except Exception as error:  # noqa: BLE001 - the wall around what is drawn: the app itself goes on
                self._part_broke(error)

        return does

    def _handle_exception(self, error: Exception) -> None:
        """Where Textual puts what no handler of a message has caught. The one who handled it hears no more messages:
        when that is the app itself, there is nobody left to go on. A worker handles none."""
        if isinstance(error, WorkerFailed) and self._survives:
            self._work_failed(error.error)
        elif active_message_pump.get(None) is self:
            self._give_up(error)
        else:
            self._part_broke(error)

    def _work_failed(self, error: BaseException) -> None:
        """What was done beside the screen came to nothing: that is told, and the screen is as it was."""
        if isinstance(error, Exception):
            self.control.log_crash(error, "what the screen was doing failed")
        self._telling.tell(f"That failed ({type(error).__name__}: {error}); the log has more of it.", grave=True)

    def _part_broke(self, error: Exception) -> None:
        """A part that breaks is told and made anew, unless that happens again and again. The session does not notice:
        it is at work in a thread of its own."""
        now = time.monotonic()
        self._crashes = [at for at in self._crashes if now - at < WITHIN_S] + [now]
        if self._survives and len(self._crashes) <= MOST_CRASHES:
            self.control.log_crash(error)
            self._broken.append(f"{type(error).__name__}: {error}")
            self._keys.rest()
            self.call_later(self._begin_anew)
        else:
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        self.crash = error
        self.control.log_crash(error)
        super()._handle_exception(error)
        self.keep_unsaved()  # at the end: where that breaks as well, it is left all the same

    def _fatal_error(self) -> None:
        """Leave. What happened is in the log: a traceback with the values of its variables could show a key."""
        self._close_messages_no_wait()

    async def _begin_anew(self) -> None:
        """Another session's screen in place of all that there is, with the same session."""
        whys = list(self._broken)
        if not whys:  # several parts broke, and that was done for all of them
            await self._keys.go_on()
            return
        before, gone = self.session_screen, self._screen_stack[1:]
        told = self._left_behind(before, gone)
        fresh = self.session_screen = SessionScreen(self.control, self.glyphs, self.preferences)
        fresh.header.facts = before.header.facts
        fresh.kept_edit, fresh.kept_hunks = before.kept_edit, before.kept_hunks
        fresh.prompt.take_over(before.prompt)  # now: it may break while it is made, and be given up
        self.capture_mouse(None)
        self._screen_stack[1:] = []
        await self.push_screen(fresh)
        self._show_again(fresh, before.story.session if before.story is not None else "")
        for text in told:
            fresh.tell(text)
        fresh.tell(f"A part of the screen broke ({whys[0]}) and was made anew; the session is as it was.", grave=True)
        for screen in reversed(gone):
            screen.remove()
        del self._broken[: len(whys)]
        await self._keys.go_on()

    def _show_again(self, fresh: SessionScreen, session: str) -> None:
        """Show the session there, if that can be."""
        try:
            if session:
                fresh.open_session(session)
        except TreadleError as error:
            fresh.tell(str(error), grave=True)
        except Exception as error:  # noqa: BLE001 - the wall around it: what broke here once may break again
            self.control.log_crash(error)
            fresh.close_session()
            fresh.tell(f"Session {session} can't be shown ({type(error).__name__}: {error}).", grave=True)

    def _left_behind(self, before: SessionScreen, gone: Sequence[Screen[Any]]) -> list[str]:
        """What is said of what was written on the screens over the session's, which go: a change that was being edited
        is kept for the next editor, all else in files."""
        from treadle.tui.screen.edit_screen import EDIT_KEPT, EditScreen  # the first paint does not wait for it

        told: list[str] = []
        texts: list[tuple[str, str]] = []
        for screen in gone:
            written = self._written(screen.unsaved) if isinstance(screen, Unsaved) and screen is not before else ()
            if isinstance(screen, EditScreen) and written:
                texts += self._written(before.kept_texts)  # of another change, which makes room
                before.kept_edit = screen
                told.append(EDIT_KEPT)
            else:
                texts += written
        return [*told, *self._keep(texts)]


def notification(why: str) -> str:
    """What has a terminal tell it (OSC 9). Whatever the text is, it ends nowhere but at its end."""
    return f"\x1b]9;{clean_line(f'treadle: {why}')}\x07"
