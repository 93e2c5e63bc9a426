"""How each action of a session is done: a method each, by the action's name, with the words that were given for it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from textual.css.query import NoMatches
from textual.worker import get_current_worker

from treadle.core.counting import counted
from treadle.core.errors import TreadleError, UnsafePath, UsageError
from treadle.tui.actions import PAGES
from treadle.tui.asking import heard, no_answer, takes_any_words
from treadle.tui.spoken import file_name, numbered, usd
from treadle.tui.tasks import file_of, fix_task, places_in, run_task, said_before

if TYPE_CHECKING:
    from textual.screen import Screen

    from treadle.core.patches.hunks import Hunk
    from treadle.core.project import Project
    from treadle.core.records import FileChange, Task
    from treadle.tui.screen.session_screen import SessionScreen


T = TypeVar("T")
"""What a screen answers with."""


class Acts:
    """The actions of that screen. What may take a while is done in a thread."""

    _THERE = "The files are as the patch makes them already."

    def __init__(self, screen: SessionScreen) -> None:
        self._screen = screen

    def do(self, name: str, words: str) -> None:
        """Do it. Raises `TreadleError` for what can't be."""
        if name in PAGES:
            self._page(name)
        else:
            getattr(self, name)(words)

    @property
    def _session(self) -> str:
        story = self._screen.story
        if story is None:
            raise UsageError("there is no session yet; write what should change, or send /fix")
        return story.session

    # ------------------------------------------------------------ sessions

    def run(self, words: str) -> None:
        """Have it done by a model: going on from what was said in the session that is shown; what answers the question
        that this rests on, or says what should be otherwise in the plan that is asked about, is said to it."""
        story = self._screen.story
        if story is not None and story.question is not None and story.state == "NEEDS_PERSON":
            control, session, said = self._screen.control, story.session, heard(story.question, words)
            if said is not None:
                self._screen.in_thread(lambda: control.answer(session, *said))
                return
            if takes_any_words(story.question):
                raise no_answer(story.question)
        self._begin(words)

    def plan(self, words: str) -> None:
        """Have it done by a model, whose plan the person decides about first."""
        self._begin(words, shows_plan=True)

    def _begin(self, words: str, *, shows_plan: bool = False) -> None:
        story, earlier = self._screen.story, ""
        if story is not None and story.task is not None and story.task.kind == "run":
            earlier = story.session if not story.working else ""

        def task(project: Project) -> Task:
            files = tuple(word[1:] for word in words.split() if _names_file(word, project))
            said = said_before(project, earlier) if earlier else ()
            named = tuple(str(project.root / file) for file in files)
            return run_task(project, words, named, shows_plan=shows_plan, earlier=said)

        self._screen.control.start(task)

    def fix(self, words: str) -> None:
        """Repair failing tests, all of the project's or those that are named."""
        places = places_in(words, self._screen.control.root)
        for place in places:
            if not os.path.exists(file_of(place)):  # noqa: PTH110 - of a name that is none it says False
                raise UsageError(f"/fix {words}: there is no such file or folder in the project")
        self._screen.control.start(lambda project: fix_task(project, places))

    def new(self, words: str) -> None:
        """Show no session; what is written next goes on from none."""
        self._screen.close_session()

    def stop(self, words: str) -> None:
        """Stop what is at work."""
        self._screen.control.stop()

    def resume(self, words: str) -> None:
        """Go on, or ask again what it rests on."""
        screen, session = self._screen, self._session
        screen.told.forget()
        assert screen.story is not None
        if screen.story.question is not None and screen.story.state == "NEEDS_PERSON":
            screen.ask(screen.story.question)
        else:
            screen.in_thread(lambda: screen.control.resume(session))

    def fork(self, words: str) -> None:
        """Show a copy of the session, to go on with."""
        screen, session = self._screen, self._session

        def copy() -> str:
            app = screen.treadle
            made = screen.control.project.fork(session).id
            app.call_from_thread(lambda: app.session_screen.open_copy(made))
            return f"This is {made}, a copy of session {session}, which stays as it is."

        screen.in_thread(copy)

    # ------------------------------------------------------------ the change

    def accept(self, words: str) -> None:
        """Apply the patch."""
        control, session = self._screen.control, self._session
        self._with_patch(lambda: None if control.accept(session) else self._THERE)

    def merge(self, words: str) -> None:
        """Apply the patch together with what was changed in its files since."""
        control, session = self._screen.control, self._session
        told = "Applied onto the files as they are now; that was not tested together with what was changed in them."
        self._with_patch(lambda: told if control.accept(session, merge=True) else self._THERE)

    def undo(self, words: str) -> None:
        """Take the patch back."""
        control, session = self._screen.control, self._session
        gone = "There was nothing to take back: its files are as they were before the patch. It can be accepted again."
        self._with_patch(lambda: None if control.undo(session) else gone)

    def _with_patch(self, what: Callable[[], str | None]) -> None:
        self._screen.patch_asked_for = True
        self._screen.in_thread(what)

    def reject(self, words: str) -> None:
        """Say why it will not do; without words, where to write them."""
        if words:
            self._speak(words)
        else:
            self._screen.action_write("/reject ")

    def another(self, words: str) -> None:
        """Have it tried by another approach."""
        self._speak("", another=True)

    def choose(self, words: str) -> None:
        """Take another change that every test passes with; without words, the one under the cursor, or where to write
        which."""
        chosen = self._screen.choice_in_use
        if not words and chosen is None:
            self._screen.action_write("/choose ")
            return
        number, said = numbered(words) if words or chosen is None else (chosen.number, "")
        if number is None or said not in ("", "test"):
            raise UsageError("/choose NUMBER [test]: which of the changes that the result lists?")
        control, session = self._screen.control, self._session
        self._screen.in_thread(lambda: control.choose_change(session, number, keeps_example=said == "test"))

    def retry(self, words: str) -> None:
        """Go on from an earlier attempt."""
        number, said = numbered(words)
        under = self._screen.attempt_in_use
        if number is None and under is None:
            raise UsageError("/retry NUMBER: which attempt? Its number, or the cursor on it in the outline")
        if number is None and under is not None:
            number = under.number
            if not number:
                raise UsageError("/retry: that attempt was set aside; those that count have a number alone")
        self._speak(said, attempt=number)

    def _speak(self, words: str, *, another: bool = False, attempt: int | None = None) -> None:
        control, session = self._screen.control, self._session
        self._screen.in_thread(lambda: control.speak_against(session, words, another=another, attempt=attempt))

    def edit(self, words: str) -> None:
        """Change the last attempt, and have it tried."""
        from treadle.tui.screen.edit_screen import EditScreen  # the first paint does not wait for it

        control, session = self._screen.control, self._session

        def look() -> None:
            files, now = control.candidate(session), control.files_now()
            before = {}
            for each in files:
                with contextlib.suppress(OSError, UnsafePath):  # it says no more than where the text begins to differ
                    before[each.path] = now.read(each.path, most=len(each.content or b"") + 1)
            self._show("edit", session, lambda: EditScreen(files, self._kept_of(files), before), lambda edited: edited)

        self._screen.in_thread(look, alone=True)

    def _kept_of(self, files: tuple[FileChange, ...]) -> tuple[FileChange, ...]:
        """What the person had made of these files already; it is the editor's from now on."""
        kept = self._screen.kept_edit
        if kept is None or kept.files != files:
            return files
        self._screen.kept_edit = None
        return kept.edited()

    def hunks(self, words: str) -> None:
        """Take some hunks of the last attempt, and have these tried."""
        from treadle.core.patches.hunks import hunks_of, with_hunks
        from treadle.tui.screen.hunks_screen import HunksScreen  # as above

        control, session, glyphs = self._screen.control, self._session, self._screen.glyphs

        def look() -> None:
            files, before = control.candidate(session), control.files_now()
            with _reading():
                found = hunks_of(files, before)

            def some(taken: frozenset[str]) -> tuple[FileChange, ...]:
                with _reading():
                    return with_hunks(files, before, taken)

            self._show("hunks", session, lambda: HunksScreen(found, glyphs, self._taken_of(found)), some)

        self._screen.in_thread(look, alone=True)

    def _taken_of(self, hunks: Sequence[Hunk]) -> frozenset[str] | None:
        """Which of these hunks the person had taken already, None where they had not chosen yet; as above."""
        kept = self._screen.kept_hunks
        if kept is None or kept.hunks != hunks:
            return None
        self._screen.kept_hunks = None
        return kept.taken

    def _show(
        self,
        name: str,
        session: str,
        make: Callable[[], Screen[T | None]],
        files: Callable[[T], tuple[FileChange, ...]],
    ) -> None:
        """From a thread: show a screen for the action of that name, if the person is still where they asked for it, and
        has not done so again since. What they answer there stands for `files`, and these are tried; what they have made
        there is kept until the session has taken it."""
        screen, worker = self._screen, get_current_worker()

        def decided(made: Screen[T | None], answer: T | None) -> None:
            if answer is not None:
                self._keep(made)
                screen.in_thread(lambda: have_tried(made, answer))

        def have_tried(made: Screen[T | None], answer: T) -> None:
            is_taken = False
            try:
                screen.control.speak_against(session, "", files=files(answer))
                is_taken = True
            finally:
                app.call_from_thread(self._taken if is_taken else self._not_taken, made)

        def push() -> None:
            if worker.is_cancelled:
                return
            if app.screen is screen and screen.story is not None and screen.story.session == session:
                made = make()
                app.push_screen(made, app.walled(lambda answer: decided(made, answer)))
            else:
                app.session_screen.answer(f"/{name} shows it: you have gone elsewhere meanwhile.")

        app = screen.treadle
        app.call_from_thread(push)

    def _keep(self, made: Screen[Any]) -> None:
        """Keep what the person has made on that screen until the session has it: the try may not begin."""
        from treadle.tui.screen.edit_screen import EditScreen
        from treadle.tui.screen.hunks_screen import HunksScreen

        app = self._screen.treadle
        if isinstance(made, EditScreen):
            for told in app.keep_edit(made):
                app.session_screen.tell(told)
        elif isinstance(made, HunksScreen):
            app.session_screen.kept_hunks = made

    def _taken(self, made: Screen[Any]) -> None:
        """The session has it."""
        screen = self._screen.treadle.session_screen  # it may have been made anew meanwhile
        if screen.kept_edit is made:
            screen.kept_edit = None
        if screen.kept_hunks is made:
            screen.kept_hunks = None

    def _not_taken(self, made: Screen[Any]) -> None:
        """The session has not got it: say how to go on with it."""
        from treadle.tui.screen.edit_screen import EDIT_KEPT

        screen = self._screen.treadle.session_screen
        if screen.kept_edit is made:
            screen.told.tell(EDIT_KEPT, holds=lambda: screen.kept_edit is made)
        if screen.kept_hunks is made:
            screen.told.tell(
                "The hunks that you took are kept: /hunks goes on with them.", holds=lambda: screen.kept_hunks is made
            )

    # ------------------------------------------------------------ looking

    def diff(self, words: str) -> None:
        """Show the change in the next way."""
        if self._screen.view is not None:
            self._screen.view.change.next_mode()
            self._screen.show_pane("code")
            self._screen.call_after_refresh(self._screen.show_what_changes)

    def all(self, words: str) -> None:
        """Open everything, or close it again."""
        if self._screen.view is not None:
            self._screen.view.openings.turn_all()
            self._screen.draw(stays=not self._screen.view.story.working)

    def find(self, words: str) -> None:
        """Look for words in the pane that is in use."""
        pane = self._screen.pane_in_use
        self._screen.furnish().begin(pane, words)

    def pane(self, words: str) -> None:
        """To the next pane."""
        from treadle.tui.screen.session_screen import PANES

        used = self._screen.pane_in_use.id or PANES[0]
        self._screen.show_pane(PANES[(PANES.index(used) + 1) % len(PANES)])

    # ------------------------------------------------------------ taking it elsewhere

    def copy(self, words: str) -> None:
        """Copy the line under the cursor with what is open below it."""
        text = self._screen.pane_in_use.text_at_cursor()
        self._screen.treadle.copy_to_clipboard(text)
        lines = text.count("\n") + 1
        self._screen.answer(f"Copied: {counted(lines, 'line')}.")

    def save(self, words: str) -> None:
        """Save the session as Markdown."""
        from treadle.tui.story.as_markdown import as_markdown, new_file

        story, root = self._screen.story, self._screen.control.root
        assert story is not None
        name = file_name(words) or f"{story.session}.md"
        self._screen.in_thread(lambda: f"Saved: {new_file(root, name, as_markdown(story))}")

    def open(self, words: str) -> None:
        """Open in the person's editor."""
        from treadle.tui.screen.editor import open_in_editor
        from treadle.tui.story.as_markdown import as_markdown

        view, pane = self._screen.view, self._screen.pane_in_use
        assert view is not None
        path = view.change.path_of(pane.line) if pane.id == "code" else ""
        open_in_editor(self._screen.treadle, self._screen.control.root, path, lambda: as_markdown(view.story))

    # ------------------------------------------------------------ choices

    def model(self, words: str) -> None:
        """Ask another model from now on."""
        from treadle.tui.chosen_models import check_models, model_settings

        control = self._screen.control
        chosen, models = model_settings((words,), "/model"), (words,)

        def choose() -> str:
            control.choose(chosen, lambda project: check_models(project, models, "/model"))
            return f"From now on {words} is asked; /resume goes on with it."

        self._screen.in_thread(choose)

    def budget(self, words: str) -> None:
        """Another budget of money from now on."""
        control, amount = self._screen.control, usd(words)

        def choose() -> str:
            app = self._screen.treadle
            control.choose({"budget.usd": amount})
            limit = control.project.settings.budget.usd
            app.call_from_thread(lambda: app.session_screen.header.limit(limit))
            return f"From now on a session may cost ${limit:.2f}; /resume goes on with it."

        self._screen.in_thread(choose)

    def theme(self, words: str) -> None:
        """Other colours, until the person leaves."""
        self._screen.treadle.put_on(words)

    # ------------------------------------------------------------ elsewhere

    def _page(self, name: str) -> None:
        from treadle.tui.pages.page import Copy, Elsewhere
        from treadle.tui.screen.pages import page_of  # as above

        def chosen(answer: str | Copy | Elsewhere | None) -> None:
            self._screen.treadle.learn()  # what was changed there may stand in the header
            if isinstance(answer, Elsewhere):
                self._page(answer.page)
                return
            if answer is None:
                self._leave_what_is_deleted()
                return
            try:
                if isinstance(answer, Copy):
                    self._screen.open_copy(answer.session)
                else:
                    self._screen.open_session(answer)
                    self._screen.tell_of_the_patch()
            except TreadleError as error:  # deleted meanwhile, or of a log that can't be read any more
                self._screen.answer(str(error), grave=True)
            with contextlib.suppress(NoMatches):
                self._screen.pane_in_use.focus()

        page = page_of(name)(self._screen.control, self._screen.glyphs)
        self._screen.app.push_screen(page, self._screen.treadle.walled(chosen))

    def _leave_what_is_deleted(self) -> None:
        """Show no session that was deleted meanwhile: nothing can be done with it."""
        screen = self._screen
        if screen.story is not None and screen.story.session in screen.control.taken_away.get("sessions", ()):
            session = screen.story.session
            screen.close_session()
            screen.answer(f"Session {session} is deleted; z in the list of sessions takes that back.")

    def help(self, words: str) -> None:
        """The keys."""
        self._screen.treadle.action_help()

    def quit(self, words: str) -> None:
        """Leave."""
        self._screen.treadle.leave()


@contextlib.contextmanager
def _reading() -> Iterator[None]:
    """A file of the person's that can't be read is told as what it is, and not as a fault of ours."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"a file of yours can't be read: {error}") from error


def _names_file(word: str, project: Project) -> bool:
    return word.startswith("@") and len(word) > 1 and os.path.exists(project.root / word[1:])  # noqa: PTH110 - of a name that is none it says False
