"""What the screen may have done: start, stop and resume sessions, answer, accept and take back.

Everything here may take a while or wait for a lock, so the screen calls it from a thread of its own; what comes of it
is heard through the mailbox, as events.
"""

from __future__ import annotations

import contextlib
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from treadle.core.errors import PatchConflict, TreadleError, UsageError
from treadle.core.events import Event
from treadle.core.records import FileChange, Outcome, RunChoices, Task, Workspace
from treadle.tui.control.following import Following
from treadle.tui.control.mailbox import Began, Interrupted, Mailbox, Notice, Rested

if TYPE_CHECKING:
    from treadle.core.acceptance import Acceptance
    from treadle.core.project import Project
    from treadle.core.session import Session
    from treadle.core.store.store import Store
    from treadle.core.tree.workspace import Tree


_READ_AT_ONCE = 50
"""Events."""

_KEPT_OPEN = 2
"""Projects as they were before something else was chosen that stay open although nobody is at work with them: somebody
may be reading something from one."""


class LogReader:
    """A session's story reads here what it does not keep."""

    def __init__(self, store: Callable[[], Store], session: str) -> None:
        """`store` is the event log as it is open when something is read."""
        self._store = store
        self._session = session
        self._read: dict[int, Event] = {}

    def event(self, seq: int) -> Event | None:
        """The event of that seq, None when it is gone. With it come the ones behind it: who opens a line of a session
        opens the next as well, or all of them."""
        if seq not in self._read:
            behind = islice(self._store().events(self._session, seq - 1), _READ_AT_ONCE)
            self._read = {event.seq: event for event in behind}
        return self._read.get(seq)

    def output(self, ref: str) -> str | None:
        """A text that is kept outside of the events, None when it has expired."""
        return self._store().get_output(ref) if ref else None


class Control:
    """The sessions of one project. One of them can be at work here at a time."""

    def __init__(self, root: Path, mailbox: Mailbox, choices: RunChoices | None = None) -> None:
        self.root = root
        self._mailbox = mailbox
        self.choices = choices or RunChoices()
        """What was chosen here: for new sessions, and for those that go on."""
        self.taken_away: dict[str, list[str]] = {}
        """What was deleted here and can be taken back, the latest last, by the name of the page on which it was."""
        # These three are changed under `_counting`; which project is open is looked up without it.
        self._project: Project | None = None
        self._past: list[Project] = []
        self._users: Counter[Project] = Counter()
        self._files: tuple[str, ...] | None = None
        self._following = Following(mailbox)
        self._thread: threading.Thread | None = None
        self._stale = False
        self._choosing = threading.Lock()
        self._opening = threading.Lock()
        self._counting = threading.Lock()
        self._beginning = threading.Lock()
        # These four are changed under `_beginning`, and the first two looked up without it. A session is at work from
        # when it is asked for; `_session` is there later.
        self._at_work = False
        self._working = ""
        self._session: Session | None = None
        self._stops = False

    @property
    def project(self) -> Project:
        """The project, opened when it is first asked for. Raises `TreadleError` where it can't be. Who is at work with
        it for more than a moment has it by `using`."""
        if (opened := self._project) is not None:
            return opened  # at once: another one may be about to take its place, which a slow disk takes long for
        with self._opening:
            return self._project or self._open(self.choices)

    @contextmanager
    def using(self) -> Iterator[Project]:
        """The same, which stays open up to the end of the block, also where another one takes its place."""
        with self._kept_open(self.project) as project:
            yield project

    @contextmanager
    def _kept_open(self, project: Project) -> Iterator[Project]:
        with self._counting:
            self._users[project] += 1
        try:
            yield project
        finally:
            with self._counting:
                self._users[project] -= 1
            self._close_past()

    def choose(self, settings: dict[str, object], check: Callable[[Project], None] = lambda project: None) -> None:
        """From now on these settings hold, by dotted key, for new sessions and for those that go on. `check` looks at
        the project as it would be, and raises a `TreadleError` where it will not do. Raises `ConfigError` for a value
        that is none. Where anything is raised, nothing is otherwise than before."""
        with self._choosing:
            chosen = self.choices.then(RunChoices(settings=settings))
            opened = self._made(chosen)
            try:
                check(opened)
            except TreadleError:
                with contextlib.suppress(TreadleError):
                    opened.close()
                raise
            with self._opening:
                self._put_in(opened)
                self.choices = chosen

    def _made(self, choices: RunChoices) -> Project:
        # Not at the top of this file: all that a session needs is loaded once the screen has been painted.
        from treadle.core.project import Project

        return Project(self.root, choices=choices, on_notice=self.tell)

    def _open(self, choices: RunChoices) -> Project:
        return self._put_in(self._made(choices))

    def _put_in(self, opened: Project) -> Project:
        with self._counting:
            if self._project is not None:
                self._past.append(self._project)
            self._project = opened
        self._close_past()
        return opened

    def _close_past(self) -> None:
        with self._counting:
            self._users = +self._users
            unused = [each for each in self._past if each not in self._users][:-_KEPT_OPEN]
            self._past = [each for each in self._past if each not in unused]
        for project in unused:
            with contextlib.suppress(TreadleError):
                project.close()

    def _opened_with(self, choices: RunChoices) -> Project:
        """The project as these choices have it, and with what its settings and plugins are by now."""
        with self._opening:
            if self._project is not None and not self._stale and self._project.choices == choices:
                return self._project
            self._stale = False  # before all is read: what is changed meanwhile is read the next time
            try:
                return self._open(choices)
            except TreadleError:
                self._stale = True
                raise

    @contextmanager
    def opened_anew(self) -> Iterator[Project]:
        """The project as it would be opened now, beside the one that is open: its settings may have been changed.
        Raises `TreadleError` where it can't be opened."""
        from treadle.core.project import Project

        with Project(self.root, choices=self.choices) as project:
            yield project

    def reload(self) -> bool:
        """Have what was changed in settings and plugins hold from now on. False while a session is at work, which goes
        on as it began: then it holds from the next one on. Raises `TreadleError` as `project` does."""
        self._stale = True
        if self._at_work:
            return False
        self._opened_with(self.choices)
        return True

    def files(self) -> tuple[str, ...]:
        """The names of the project's own files, as they were when somebody asked first."""
        if self._files is None:
            from treadle.core.tree.listing import project_files

            self._files = project_files(self.root)
        return self._files

    def log_crash(self, error: Exception, what: str = "a part of the screen broke") -> None:
        """Keep what happened in the log, without the values of any variables."""
        with contextlib.suppress(TreadleError):
            project = self.project
            told = "".join(traceback.format_exception(error))
            project.logger.error(what, traceback=project.redactor.text(told))

    @property
    def working(self) -> str:
        """The id of the session that is at work here, "" for none, and for a new one that is about to begin."""
        return self._working

    @property
    def at_work(self) -> bool:
        """Whether a session is at work here, or about to begin."""
        return self._at_work

    # ------------------------------------------------------------ sessions

    def start(self, make: Callable[[Project], Task]) -> None:
        """A new session for the task, at work in a thread."""

        def begin(project: Project) -> Session:
            self._look_after_files(project, begins=True)
            return project.start(make(project))

        self._work(lambda: self.choices, begin)

    def resume(self, session: str) -> None:
        """Go on with a session, with what was chosen for it and since."""
        self._go_on(session, lambda: None)

    def answer(self, session: str, text: str, words: str = "") -> None:
        """Answer what it rests on, with words where the answer takes some, and go on with it."""
        self._go_on(session, lambda: self.project.answer(session, text, words))

    def _go_on(self, session: str, first: Callable[[], None]) -> None:
        """Do the first thing, unless a session is at work, and go on with this one."""

        def begin(project: Project) -> Session:
            self._look_after_files(project)
            return project.resume(session)

        with self._catching_up():
            self._work(lambda: self.project.choices_of(session).then(self.choices), begin, session, first)

    def _look_after_files(self, project: Project, *, begins: bool = False) -> None:
        from treadle.tui.before_work import look_after_files  # the first paint does not wait for it

        look_after_files(project, self.tell, begins=begins)

    def stop(self) -> None:
        """Ask the session that is at work to stop soon, be it about to begin; nothing where none is."""
        with self._beginning:
            self._stops = self._at_work
            if self._session is not None:
                self._session.stop()

    def wait(self, seconds: float) -> bool:
        """Wait until no session is at work here; False when one still is."""
        if self._thread is None:
            return True
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _work(
        self,
        choices: Callable[[], RunChoices],
        begin: Callable[[Project], Session],
        session: str = "",
        first: Callable[[], None] = lambda: None,
    ) -> None:
        """Have the session that is begun at work in a thread, with a project of these choices; `session` is its id
        where it has one. `first` is done here, and what it raises keeps the session from beginning."""
        with self._beginning:  # whoever presses a key twice begins one session, and says one thing
            if self._at_work:
                raise UsageError("a session is at work; stop it first (esc), or wait for its end")
            self._at_work, self._working, self._stops = True, session, False
        is_said = False
        try:
            first()
            is_said = True
        finally:
            if not is_said:
                self._rest()
        given = (choices, begin, session)
        self._thread = threading.Thread(target=self._run, args=given, name="treadle-session", daemon=True)
        self._thread.start()

    def _rest(self) -> None:
        with self._beginning:
            self._at_work, self._working, self._session = False, "", None

    def _run(self, choices: Callable[[], RunChoices], begin: Callable[[Project], Session], session: str) -> None:
        error = ""
        ends = contextlib.ExitStack()
        try:
            project = ends.enter_context(self._kept_open(self._opened_with(choices())))
            made = begin(project)
            for notice in project.notices():
                self.tell(notice)
            session = made.id
            with self._beginning:
                self._session, self._working = made, session
                if self._stops:  # it was stopped while it began
                    made.stop()
            self._mailbox.put(Began(session))
            self._following.begin(session)
            for event in project.store.events(session):  # what was before anybody listened
                self._following.hear(event)
            ends.callback(project.bus.subscribe(self._following.hear, watching=True))
            made.run()
        except TreadleError as trouble:
            error = str(trouble)
        except Exception as crash:  # noqa: BLE001 - the wall around a session: the screen goes on
            error = f"the session crashed: {type(crash).__name__}: {crash}"
            self.log_crash(crash, "the session crashed")
        finally:
            try:
                ends.close()
            finally:  # whatever comes of closing a project that has been replaced, this session is at rest
                self._rest()
                self.catch_up()
                self._mailbox.put(Rested(session, error))

    # ------------------------------------------------------------ what other programs do

    def follow(self, session: str, seq: int) -> None:
        """The session is shown from now on, "" for none; its events up to that seq have been heard."""
        self._following.begin(session, seq)

    def catch_up(self, *, looks_for_its_end: bool = False) -> None:
        """Have the mailbox hear what has been logged of the session that is shown, be it by another program; with
        `looks_for_its_end` also whether nobody is at work on it."""
        session = self._following.session
        if session and session != self._working:  # of the one that is at work here all is heard as it comes
            with contextlib.suppress(TreadleError):  # it was deleted, or the log is busy: another time
                store = self.project.store
                self._following.catch_up(store)
                if looks_for_its_end and not store.is_locked(session) and not self._following.catch_up(store):
                    # With news there was somebody at work meanwhile: another look says what became of that.
                    self._mailbox.put(Interrupted(session))

    @contextmanager
    def _catching_up(self) -> Iterator[None]:
        """At the end of the block all is heard that was logged in it, or before it by another program: where the
        session is in another state than it seemed, that is seen."""
        try:
            yield
        finally:
            self.catch_up()

    def is_at_work_elsewhere(self, session: str) -> bool:
        """Whether another program is at work on it."""
        return session not in ("", self._working) and self.project.store.is_locked(session)

    # ------------------------------------------------------------ what it found

    def accept(self, session: str, *, merge: bool = False) -> bool:
        """Apply the patch of a session; False when the files were in its state already. `merge`: together with what was
        changed in its files since, where that is in other lines. Raises `PatchConflict`."""
        from treadle.core.acceptance import OtherLines

        with self._catching_up():
            acceptance, outcome = self._acceptance(session), self._outcome(session)
            try:
                return acceptance.apply(outcome, acceptance.merged(outcome) if merge else None)
            except OtherLines as error:
                raise PatchConflict(f"{error.what}: /merge applies it so") from error

    def candidate(self, session: str, attempt: int = 0) -> tuple[FileChange, ...]:
        """The files of that attempt of it, 0: of its last, as they would be; none where there is no such attempt, or
        the session has come to nothing yet."""
        outcome = self._came_to(session)
        attempts = outcome.attempts if outcome is not None else ()
        of_it = [each for each in attempts if each.number == attempt] if attempt else attempts[-1:]
        return of_it[-1].candidate.files if of_it else ()

    def files_now(self) -> Tree:
        """The person's files."""
        from treadle.core.tree.workspace import Tree

        root = str(self.root)
        return Tree(Workspace(id="", kind="overlay", project=root, root=root, upper=""))

    def speak_against(
        self,
        session: str,
        words: str,
        *,
        attempt: int | None = None,
        files: tuple[FileChange, ...] | None = None,
        another: bool = False,
    ) -> None:
        """Say what should be otherwise in an attempt of it, None: in its last, and go on with it from there."""

        def say() -> None:
            self.project.give_feedback(session, words, attempt=attempt, files=files, another=another)

        self._go_on(session, say)

    def choose_change(self, session: str, number: int, *, keeps_example: bool) -> None:
        """Take the change of that number, of those that every test passes with, and go on with it."""
        self._go_on(session, lambda: self.project.choose(session, number, keeps_example=keeps_example))

    def undo(self, session: str) -> bool:
        """Take the patch of a session back; False when somebody else had done so. Raises `PatchConflict`."""
        with self._catching_up():
            return not self._acceptance(session).undo().already

    def close(self) -> None:
        """Stop what is at work, and close the project. What does not stop in time ends with the process, and can be
        resumed."""
        self.stop()
        if self.wait(2.0):
            for project in (*self._past, *filter(None, (self._project,))):
                with contextlib.suppress(TreadleError):
                    project.close()

    @contextmanager
    def closing(self) -> Iterator[Control]:
        """Close it at the end of the block."""
        try:
            yield self
        finally:
            self.close()

    def _acceptance(self, session: str) -> Acceptance:
        return self.project.acceptance(session)

    def _outcome(self, session: str) -> Outcome:
        outcome = self._came_to(session)
        if outcome is None:
            raise UsageError(f"session {session} has come to nothing yet")
        return outcome

    def _came_to(self, session: str) -> Outcome | None:
        from treadle.core.conversations import outcome_of  # the first paint does not wait for it

        return outcome_of(self.project.store.events(session))

    def tell(self, text: str, *, grave: bool = False) -> None:
        """Tell the person something, on the screen of the session."""
        self._mailbox.put(Notice(text, grave))
