"""Accepting what a session found: its patch goes into the person's files, and can be taken back.

An apply is an effect like any other: `patch.applying` is logged before the first file is written, `patch.applied`
after, or `patch.undone` where that failed; what is not begun is not logged. The patch has a journal of its own
(`core.patches`), which is made before, so that it never is of an earlier apply than the log tells of. Interruptions
wait until it is done. What was cut off between them all the same is seen by whoever looks (`cut_off`), and settled, and
the log told of it, by whoever wants to write or work next and gets the session's lock; while another program is at work
on the session, nobody touches anything. Of two sessions' patches one is written or taken back at a time: that has a
lock of the project.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from treadle.core import feedback
from treadle.core.best_attempt import nearest
from treadle.core.errors import PatchConflict, PatchError, StoreError, UnknownSession, UnsafePath, UsageError
from treadle.core.events import Event
from treadle.core.patches import journal as patch_journal
from treadle.core.patches import patch as patches
from treadle.core.patches.bases import Bases, diff_of
from treadle.core.patches.cut_off import CutOff, all_cut_off
from treadle.core.patches.held_back import held_back
from treadle.core.patches.patch import ChangedSince, HalfDone, Patch, TakenBack
from treadle.core.paths import shown
from treadle.core.places import Places
from treadle.core.records import Attempt, Outcome, Workspace
from treadle.core.store.session_lock import file_lock
from treadle.core.store.store import Store
from treadle.core.tree.workspace import Tree

_STANDING = {"applied": "patch.applied", "undone": "patch.undone"}
_SHOWN = 5
_WAITS_S = 2.0
"""How long one who wants to write waits for another who does in the same project, which is over in an instant."""


class OtherLines(PatchConflict):
    """The files have changed since, in other lines than the patch's: both can go together. `what` leaves out how."""

    def __init__(self, error: PatchConflict, session: str) -> None:
        self.what = f"{error}; that is in other lines than the patch's, and both go together"
        super().__init__(f"{self.what}: `treadle resume {session} --apply --merge`")


class Acceptance:
    """The patch of one session and where it stands. `publish` is told of every event that this logs."""

    def __init__(
        self,
        store: Store,
        places: Places,
        root: Path,
        session: str,
        publish: Callable[[Event], None] = lambda event: None,
    ) -> None:
        self._store = store
        self._places = places
        self._root = root
        self._session = session
        self._publish = publish
        self._journal_dir = places.session(session) / "apply"

    def diff(self) -> str:
        """The session's patch as a unified diff against the files that it was made from, "" when it found none."""
        ended = self._last({"session.ended", "session.rests"})
        return str(ended.data.get("diff", "")) if ended else ""

    def diff_of(self, attempt: Attempt) -> str:
        """The change of one of the session's attempts as it was made; made anew, from what is kept of the files, where
        it is kept no longer. Raises `UnsafePath` and `OSError` where that can't be done."""
        ref = ""
        for event in self._store.events(self._session):
            if event.kind == "attempt.ended" and event.data["number"] == attempt.number:
                ref = str(event.data.get("diff", ""))
            elif event.kind == feedback.KIND and event.attempt < attempt.number:
                ref = ""  # the one of that number was set aside
        kept = self._store.get_output(ref)
        if kept:
            return kept
        root = str(self._root)
        as_it_is = Workspace(id="", kind="overlay", project=root, root=root, upper="")
        return diff_of(attempt.candidate, Tree(as_it_is), Bases(self._places, self._session))

    def nearest_diff(self, outcome: Outcome) -> str:
        """The change of the attempt that came nearest where none passed, "" where it can't be told."""
        attempt = nearest(outcome)
        try:
            return self.diff_of(attempt) if attempt is not None else ""
        except (UnsafePath, OSError):
            return ""

    def is_applied(self) -> bool:
        """Whether the patch stands in the person's files now, as far as its journal knows; not where somebody else has
        taken back all of it since, as by `git checkout`. Nothing is touched."""
        try:
            return patches.stands(self._journal_dir)
        except PatchError:
            return False  # of a journal that can't be read, whoever wants to write is told

    def settle(self) -> str:
        """Bring an apply or undo that was cut off to its end, and answer with it, as `patches.settle`. Raises
        `PatchConflict`, with nothing touched, where a file was changed since."""
        with held_back(), self._lock():
            return self._settle()

    def is_there(self, outcome: Outcome) -> bool:
        """Whether the files have all that the patch makes of them, whoever has made them so, and whatever else was
        changed in them."""
        attempt = outcome.winner
        if attempt is None or not attempt.candidate.files:
            return False
        if patches.is_there(Patch.of(attempt.candidate), self._root):
            return True
        with suppress(PatchError, UnsafePath):  # of files that can't be read: whoever applies it is told
            together = self.merged(outcome)
            return together is not None and patches.is_there(together, self._root)
        return False

    def merged(self, outcome: Outcome) -> Patch | None:
        """The patch together with what was changed in its files since they were read, where that is in other lines;
        None where it is not, and where nothing was changed."""
        attempt = outcome.winner
        if attempt is None:
            return None
        bases = Bases(self._places, self._session)
        return patches.onto_the_files_as_they_are(Patch.of(attempt.candidate), self._root, bases.find)

    def apply(self, outcome: Outcome, merged: Patch | None = None) -> bool:
        """Apply the patch, or in its place what `merged` made of it; False when the files were in its state already,
        and nothing was done. Raises `PatchConflict`, with nothing touched, when a file is not what it was made from;
        `OtherLines` where `merged` would make both one."""
        attempt = outcome.winner
        if attempt is None:
            raise UsageError(
                f"session {self._session} has no patch that passed; `treadle show {self._session}` tells what leads on"
            )
        patch = merged or Patch.of(attempt.candidate)
        files = [change.path for change in patch.files]
        with held_back(), self._lock():
            self._settle()
            if self.is_applied():
                raise PatchConflict(
                    f"the patch of session {self._session} is applied already; "
                    f"`treadle undo {self._session}` takes it back"
                )
            started: list[Event] = []
            try:
                done = patches.apply(
                    patch,
                    self._root,
                    self._journal_dir,
                    begins=lambda: started.append(self._log("patch.applying", files)),
                )
            except HalfDone as error:
                raise self._half_done(error) from error
            except PatchError as error:
                with suppress(StoreError):  # as of a full disk: why nothing was applied is what counts
                    self._log_how_it_stands()
                if isinstance(error, PatchConflict):
                    raise self._with_way_on(error, outcome) from error
                raise
            if not done.already:
                self._log("patch.applied", files, parent=started[0].seq)
        return not done.already

    def undo(self, *, force: bool = False) -> TakenBack:
        """Take the patch back, or the part of it that was written before it was cut off. Where somebody else has taken
        all of it back, nothing is left to do (`already`), and it counts as undone from now on. Other lines that were
        changed in its files since stay so (`merged`). Raises `PatchConflict`, with nothing touched, when its own were;
        `force` leaves such files as they are, and raises it where that is all of them."""
        with held_back(), self._lock():
            if self._journal_state() not in ("applied", "applying", "undoing"):
                raise UsageError(
                    f"the patch of session {self._session} is not applied, so there is nothing to take back; "
                    f"`treadle show {self._session}` tells what it came to"
                )
            try:
                taken = patches.undo(self._journal_dir, force=force)
            except ChangedSince as error:
                raise PatchConflict(f"nothing was undone: {_ways_on(self._session, error)}") from error
            except HalfDone as error:
                raise self._half_done(error) from error
            with suppress(UnknownSession):  # of a log that was set aside as damaged
                if taken.merged:
                    self._log("patch.undone", list(taken.files), merged=list(taken.merged))
                else:
                    self._log("patch.undone", list(taken.files))
        return taken

    def _with_way_on(self, error: PatchConflict, outcome: Outcome) -> PatchConflict:
        """Why nothing was applied, and what can be done."""
        with suppress(PatchError, UnsafePath):  # of files that can't be read: that they conflict is what counts
            if self.merged(outcome) is not None:
                return OtherLines(error, self._session)
        return PatchConflict(f"{error}; {self._way_on(outcome)}")

    def _way_on(self, outcome: Outcome) -> str:
        """What can be done where the files have changed since."""
        if outcome.task.kind == "run":
            return f'`treadle run "TASK" --continue {self._session}` has it made anew, from the files as they are now'
        return "`treadle fix` looks for another, from the files as they are now"

    def _journal_state(self) -> str:
        journal = patch_journal.load(self._journal_dir)
        return journal.state if journal is not None else "nothing"

    @contextmanager
    def _lock(self) -> Iterator[None]:
        what = f"the lock for writing patches into {self._root}"
        with self._store.lock(self._session), file_lock(self._places.apply_lock, what, _WAITS_S):
            yield

    def _settle(self) -> str:
        """Bring what was cut off to its end, and the log to what is true. The session's lock is held."""
        try:
            state = patches.settle(self._journal_dir)
        except ChangedSince as error:
            half = f"applying the patch of session {self._session} was cut off half-way"
            raise PatchConflict(f"{half}, and {_ways_on(self._session, error)}") from error
        except HalfDone as error:
            raise self._half_done(error) from error
        self._log_how_it_stands()
        return state

    def _log_how_it_stands(self) -> None:
        """What the log does not know yet of how the patch stands, as its journal has it."""
        try:
            standing = _STANDING.get(self._journal_state())
        except PatchError:
            return  # whoever wants to write is told
        logged = self._last({"patch.applying", *_STANDING.values()})
        if standing is not None and logged is not None and logged.kind != standing:
            self._log(standing, list(logged.data["files"]), parent=logged.seq if logged.kind == "patch.applying" else 0)

    def _half_done(self, error: HalfDone) -> PatchError:
        with suppress(StoreError, UnknownSession, PatchError):  # as of a full disk: it is told all the same
            journal = patch_journal.load(self._journal_dir)
            files = [entry.path for entry in journal.entries] if journal is not None else []
            self._log("patch.half_done", files, written=error.written)
        return PatchError(_half_changed(self._session, error))

    def _log(self, kind: str, files: list[str], parent: int = 0, **more: object) -> Event:
        event = self._store.append(self._session, kind, {"files": files, **more}, parent=parent)
        self._publish(event)
        return event

    def _last(self, kinds: set[str]) -> Event | None:
        found = None
        with suppress(UnknownSession):  # deleted, or of a log that was set aside as damaged
            for event in self._store.events(self._session):
                if event.kind in kinds:
                    found = event
        return found


def _half_changed(session: str, error: HalfDone) -> str:
    """How the files stand where they could not be brought to one of the two ends, and what can be done."""
    if not error.written:
        stand = "no file is as the patch makes it"
    elif error.written == error.total == 1:
        stand = "its file is as the patch makes it"
    elif error.written == error.total:
        stand = f"all {error.total} files are as the patch makes them"
    else:
        stand = f"the project is half changed: {error.written} of {error.total} files are as the patch makes them"
    return (
        f"{error.what}; {stand}. Once that is mended, `treadle undo {session}` takes back what is written, "
        f"`treadle resume {session} --apply` applies all of it"
    )


def _ways_on(session: str, error: ChangedSince) -> str:
    """Which files were changed, where they lie as they were, and what can be done."""
    names = ", ".join(shown(path) for path, _ in error.changed[:_SHOWN])
    more = f" and {len(error.changed) - _SHOWN} more" if len(error.changed) > _SHOWN else ""
    places = "; ".join(
        f"{shown(path)} as it was is {place}" if place is not None else f"{shown(path)} was not there before"
        for path, place in error.changed[:_SHOWN]
    )
    if not error.has_rest:
        return (
            f"{names}{more} changed since, in the lines of the patch: take them back yourself, or bring back what was "
            f"there before ({places}); then it counts as taken back"
        )
    return (
        f"{names}{more} changed since: `treadle undo {session} --force` leaves what was changed as it is now and takes "
        f"back the rest ({places})"
    )


def cut_off(store: Store, places: Places) -> tuple[CutOff, ...]:
    """The applies and undos in this project that were cut off, and at which no program is at work."""
    return tuple(found for found in all_cut_off(places.sessions) if not store.is_locked(found.session))


def unlogged(store: Store, places: Places) -> str | None:
    """The session whose patch stands in the files, and of which the log knows nothing, because it was set aside as
    damaged; the latest of them, None when there is none."""
    known = store.session_ids()
    folders = (folder for folder in places.sessions.glob("*/apply") if folder.parent.name not in known)
    standing = [folder for folder in folders if _stands(folder)]
    latest = max(standing, key=lambda folder: folder.stat().st_mtime, default=None)
    return latest.parent.name if latest is not None else None


def _stands(folder: Path) -> bool:
    journal = patch_journal.load(folder)
    return journal is not None and journal.state != "undone"


def last_applied(store: Store, places: Places, root: Path) -> str | None:
    """The session whose patch was applied last and not taken back, None when there is none."""
    standing: dict[str, float] = {}
    for event in store.events_of({"patch.applying", "patch.applied", "patch.undone"}):
        standing.pop(event.session, None)
        if event.kind != "patch.undone":
            standing[event.session] = event.time
    latest_first = sorted(standing, key=standing.__getitem__, reverse=True)
    return next((name for name in latest_first if Acceptance(store, places, root, name).is_applied()), None)
