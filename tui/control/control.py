"""What the screen may have done: start, stop and resume sessions, answer, accept and take back.

Everything here may take a while or wait for a lock, so the screen calls it from a thread of its own; what comes of it
is heard through the mailbox, as events.
"""

from __future__ import annotations

import contextlib
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from treadle.core.conversations import outcome_of
from treadle.core.errors import TreadleError, UsageError
from treadle.core.events import Event
from treadle.core.records import FileChange, Outcome, RunChoices, Task, Workspace
from treadle.tui.control.mailbox import Began, Mailbox, Notice, Rested

if TYPE_CHECKING:
    from treadle.core.acceptance import Acceptance
    from treadle.core.project import Project
    from treadle.core.session import Session
    from treadle.core.store.store import Store
    from treadle.core.tree.workspace import Tree


_READ_AT_ONCE = 50
"""Events."""

_KEPT_OPEN = 2
"""Projects as they were before something else was chosen that stay open for whoever is reading from them."""


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
        self._project: Project | None = None
        self._past: list[Project] = []
        self._files: tuple[str, ...] | None = None
        self._session: Session | None = None
        self._thread: threading.Thread | None = None
        self._at_work = False
        self._stale = False
        self._opening = threading.Lock()
        self._beginning = threading.Lock()

    @property
    def project(self) -> Project:
        """The project, opened when it is first asked for. Raises `TreadleError` where it can't be."""
        with self._opening:
            return self._project or self._open(self.choices)

    def choose(self, settings: dict[str, object]) -> None:
        """From now on these settings hold, by dotted key, for new sessions and for those that go on. Raises
        `ConfigError` for a value that is none, and then nothing is otherwise."""
        with self._opening:
            chosen = self.choices.then(RunChoices(settings=settings))
            self._open(chosen)
            self.choices = chosen

    def _open(self, choices: RunChoices) -> Project:
        # Not at the top of this file: all that a session needs is loaded once the screen has been painted.
        from treadle.core.project import Project

        opened = Project(self.root, choices=choices, on_notice=self._notice)
        if self._project is not None:
            self._past.append(self._project)  # somebody may be reading from it
            while len(self._past) > _KEPT_OPEN:
                with contextlib.suppress(TreadleError):
                    self._past.pop(0).close()
        self._project = opened
        return opened

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
        """The id of the session that is at work here, "" for none."""
        session = self._session
        return session.id if self._at_work and session is not None else ""

    # ------------------------------------------------------------ sessions

    def start(self, make: Callable[[Project], Task]) -> None:
        """A new session for the task, at work in a thread."""

        def begin() -> tuple[Project, Session]:
            project = self._opened_with(self.choices)
            return project, project.start(make(project))

        self._work(begin)

    def resume(self, session: str) -> None:
        """Go on with a session, with what was chosen for it and since."""

        def begin() -> tuple[Project, Session]:
            project = self._opened_with(self.project.choices_of(session).then(self.choices))
            return project, project.resume(session)

        self._work(begin)

    def answer(self, session: str, text: str, words: str = "") -> None:
        """Answer what it rests on, with words where the answer takes some, and go on with it."""
        self.project.answer(session, text, words)
        self.resume(session)

    def stop(self) -> None:
        """Ask the session that is at work to stop soon; nothing where none is."""
        if self._session is not None and self.working:
            self._session.stop()

    def wait(self, seconds: float) -> bool:
        """Wait until no session is at work here; False when one still is."""
        if self._thread is None:
            return True
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _work(self, begin: Callable[[], tuple[Project, Session]]) -> None:
        with self._beginning:  # whoever presses a key twice begins one session
            if self._at_work:
                raise UsageError("a session is at work; stop it first (esc), or wait for its end")
            self._at_work = True
        self._thread = threading.Thread(target=self._run, args=(begin,), name="treadle-session", daemon=True)
        self._thread.start()

    def _run(self, begin: Callable[[], tuple[Project, Session]]) -> None:
        session, error = "", ""
        unsubscribe: Callable[[], None] = lambda: None  # noqa: E731 - until there is something to end
        try:
            project, made = begin()
            for notice in project.notices():
                self._notice(notice)
            session, self._session = made.id, made
            self._mailbox.put(Began(made.id))
            for event in project.store.events(made.id):  # what was before anybody listened
                self._mailbox.put(event)
            unsubscribe = project.bus.subscribe(self._mailbox.put, watching=True)
            made.run()
        except TreadleError as trouble:
            error = str(trouble)
        except Exception as crash:  # noqa: BLE001 - the wall around a session: the screen goes on
            error = f"the session crashed: {type(crash).__name__}: {crash}"
            self.log_crash(crash, "the session crashed")
        finally:
            unsubscribe()
            self._at_work = False
            self._mailbox.put(Rested(session, error))

    # ------------------------------------------------------------ what it found

    def accept(self, session: str) -> bool:
        """Apply the patch of a session; False when the files were in its state already. Raises `PatchConflict`."""
        return self._acceptance(session).apply(self._outcome(session))

    def candidate(self, session: str, attempt: int = 0) -> tuple[FileChange, ...]:
        """The files of that attempt of it, 0: of its last, as they would be; none where there is no such attempt, or
        the session has come to nothing yet."""
        outcome = outcome_of(self.project.store.events(session))
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
        self.project.give_feedback(session, words, attempt=attempt, files=files, another=another)
        self.resume(session)

    def undo(self, session: str) -> None:
        """Take the patch of a session back. Raises `PatchConflict`."""
        self._acceptance(session).undo()

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
        return self.project.acceptance(session, self._mailbox.put)

    def _outcome(self, session: str) -> Outcome:
        outcome = outcome_of(self.project.store.events(session))
        if outcome is None:
            raise UsageError(f"session {session} has come to nothing yet")
        return outcome

    def _notice(self, text: str) -> None:
        self._mailbox.put(Notice(text))
