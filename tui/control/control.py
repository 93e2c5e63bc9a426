"""What the screen may have done: start, stop and resume sessions, answer, accept and take back.

Everything here may take a while or wait for a lock, so the screen calls it from a thread of its own; what comes of it
is heard through the mailbox, as events.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from treadle.core.conversations import outcome_of
from treadle.core.errors import TreadleError, UsageError
from treadle.core.events import Event
from treadle.core.records import FileChange, Outcome, RunChoices, Task
from treadle.tui.control.mailbox import Began, Mailbox, Notice, Rested

if TYPE_CHECKING:
    from treadle.core.acceptance import Acceptance
    from treadle.core.project import Project
    from treadle.core.session import Session


class LogReader:
    """A session's story reads here what it does not keep."""

    def __init__(self, project: Project, session: str) -> None:
        self._project = project
        self._session = session

    def event(self, seq: int) -> Event | None:
        """The event of that seq, None when it is gone."""
        found = next(iter(self._project.store.events(self._session, seq - 1)), None)
        return found if found is not None and found.seq == seq else None

    def output(self, ref: str) -> str | None:
        """A text that is kept outside of the events, None when it has expired."""
        return self._project.store.get_output(ref) if ref else None


class Control:
    """The sessions of one project. One of them can be at work here at a time."""

    def __init__(self, root: Path, mailbox: Mailbox, choices: RunChoices | None = None) -> None:
        self.root = root
        self._mailbox = mailbox
        self._choices = choices or RunChoices()
        self._project: Project | None = None
        self._session: Session | None = None
        self._thread: threading.Thread | None = None
        self._at_work = False
        self._stale = False
        self._opening = threading.Lock()

    @property
    def project(self) -> Project:
        """The project, opened when it is first asked for. Raises `TreadleError` where it can't be."""
        # Not at the top of this file: all that a session needs is loaded once the screen has been painted.
        from treadle.core.project import Project

        with self._opening:
            if self._project is None:
                self._project = Project(self.root, choices=self._choices, on_notice=self._notice)
            return self._project

    @contextmanager
    def opened_anew(self) -> Iterator[Project]:
        """The project as it would be opened now, beside the one that is open: its settings may have been changed.
        Raises `TreadleError` where it can't be opened."""
        from treadle.core.project import Project

        with Project(self.root, choices=self._choices) as project:
            yield project

    def prepare(self) -> None:
        """Open the project in a thread, so that it is there when it is wanted; what is wrong with it is told then."""

        def open_it() -> None:
            with contextlib.suppress(TreadleError):
                self.project.store.sessions(1)

        threading.Thread(target=open_it, name="treadle-opening", daemon=True).start()

    def reload(self) -> bool:
        """Have what was changed in settings and plugins hold from now on. False while a session is at work, which goes
        on as it began: then it holds from the next one on. Raises `TreadleError` as `project` does."""
        project = self.project
        with self._opening:
            self._stale = True
            if self._at_work:
                return False
            project.reload()
            self._stale = False
        return True

    @property
    def working(self) -> str:
        """The id of the session that is at work here, "" for none."""
        session = self._session
        return session.id if self._at_work and session is not None else ""

    # ------------------------------------------------------------ sessions

    def start(self, make: Callable[[Project], Task]) -> None:
        """A new session for the task, at work in a thread."""
        self._work(lambda project: project.start(make(project)))

    def resume(self, session: str) -> None:
        """Go on with a session."""
        self._work(lambda project: project.resume(session))

    def answer(self, session: str, text: str) -> None:
        """Answer what it rests on, and go on with it."""
        self.project.answer(session, text)
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

    def _work(self, begin: Callable[[Project], Session]) -> None:
        if self._at_work:
            raise UsageError("a session is at work; stop it first (esc), or wait for its end")
        self._at_work = True
        self._thread = threading.Thread(target=self._run, args=(begin,), name="treadle-session", daemon=True)
        self._thread.start()

    def _run(self, begin: Callable[[Project], Session]) -> None:
        session, error = "", ""
        unsubscribe: Callable[[], None] = lambda: None  # noqa: E731 - until there is something to end
        try:
            project = self.project
            with self._opening:
                if self._stale:
                    project.reload()
                    self._stale = False
            for notice in project.notices():
                self._notice(notice)
            made = begin(project)
            session, self._session = made.id, made
            self._mailbox.put(Began(made.id))
            for event in project.store.events(made.id):  # what was before anybody listened
                self._mailbox.put(event)
            unsubscribe = project.bus.subscribe(self._mailbox.put)
            made.run()
        except TreadleError as trouble:
            error = str(trouble)
        except Exception as crash:  # noqa: BLE001 - the wall around a session: the screen goes on
            error = f"the session crashed: {type(crash).__name__}: {crash}"
        finally:
            unsubscribe()
            self._at_work = False
            self._mailbox.put(Rested(session, error))

    # ------------------------------------------------------------ what it found

    def accept(self, session: str) -> bool:
        """Apply the patch of a session; False when the files were in its state already. Raises `PatchConflict`."""
        return self._acceptance(session).apply(self._outcome(session))

    def candidate(self, session: str) -> tuple[FileChange, ...]:
        """The files of its last attempt, as they would be."""
        attempts = self._outcome(session).attempts
        return attempts[-1].candidate.files if attempts else ()

    def speak_against(
        self, session: str, words: str, *, files: tuple[FileChange, ...] | None = None, another: bool = False
    ) -> None:
        """Say what should be otherwise in its last attempt, and go on with it."""
        self.project.give_feedback(session, words, files=files, another=another)
        self.resume(session)

    def undo(self, session: str) -> tuple[str, ...]:
        """Take the patch of a session back; the files that it was taken from. Raises `PatchConflict`."""
        return tuple(self._acceptance(session).undo().files)

    def close(self) -> None:
        """Stop what is at work, and close the project. What does not stop in time ends with the process, and can be
        resumed."""
        self.stop()
        if self.wait(2.0) and self._project is not None:
            with contextlib.suppress(TreadleError):
                self._project.close()

    @contextmanager
    def closing(self) -> Iterator[Control]:
        """Close it at the end of the block."""
        try:
            yield self
        finally:
            self.close()

    def _acceptance(self, session: str) -> Acceptance:
        from treadle.core.acceptance import Acceptance

        project = self.project
        return Acceptance(project.store, project.places, project.root, session, self._mailbox.put)

    def _outcome(self, session: str) -> Outcome:
        outcome = outcome_of(self.project.store.events(session))
        if outcome is None:
            raise UsageError(f"session {session} has come to nothing yet")
        return outcome

    def _notice(self, text: str) -> None:
        self._mailbox.put(Notice(text))
