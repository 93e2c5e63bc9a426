"""Accepting what a session found: its patch goes into the person's files, and can be taken back.

An apply is an effect like any other: `patch.applying` is logged before, `patch.applied` after, and the patch has a
journal of its own (`core.patches`). What was cut off between them is settled, and the log told of it, by whoever looks
next and gets the session's lock; while another program is at work on the session, nobody touches anything.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from treadle.core.errors import PatchConflict, StoreBusy, UsageError
from treadle.core.events import Event
from treadle.core.patches import journal as patch_journal
from treadle.core.patches import patch as patches
from treadle.core.patches.patch import Patch, TakenBack
from treadle.core.places import Places
from treadle.core.records import Outcome
from treadle.core.store.store import Store

_STANDING = {"applied": "patch.applied", "undone": "patch.undone"}


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
        self._root = root
        self._session = session
        self._publish = publish
        self._journal_dir = places.session(session) / "apply"

    def diff(self) -> str:
        """The session's patch as a unified diff against the files that it was made from, "" when it found none."""
        ended = self._last({"session.ended"})
        return str(ended.data.get("diff", "")) if ended else ""

    def is_applied(self) -> bool:
        """Whether the patch stands in the person's files now, as far as its journal knows."""
        try:
            with self._store.lock(self._session):
                self._settle()
        except StoreBusy:
            pass  # whoever holds the lock is at work on it, and settles what is to be settled
        return self._stands()

    def apply(self, outcome: Outcome) -> bool:
        """Apply the patch; False when the files were in its state already, and nothing was done. Raises
        `PatchConflict`, with nothing touched, when a file is not what the session saw."""
        attempt = outcome.winner
        if attempt is None:
            raise UsageError(f"session {self._session} has no patch that passed; there is nothing to apply")
        patch = Patch.of(attempt.candidate)
        files = [change.path for change in patch.files]
        with self._store.lock(self._session):
            self._settle()
            if self._stands():
                raise PatchConflict(f"the patch of session {self._session} is applied already")
            started = self._log("patch.applying", files)
            done = patches.apply(patch, self._root, self._journal_dir)
            if not done.already:
                self._log("patch.applied", files, parent=started.seq)
        return not done.already

    def undo(self) -> TakenBack:
        """Take the patch back. Raises `PatchConflict`, with nothing touched, when a file has changed since."""
        with self._store.lock(self._session):
            self._settle()
            if not self._stands():
                raise UsageError(f"the patch of session {self._session} is not applied; there is nothing to take back")
            taken = patches.undo(self._journal_dir)
            self._log("patch.undone", list(taken.files))
        return taken

    def _stands(self) -> bool:
        journal = patch_journal.load(self._journal_dir)
        return journal is not None and journal.state == "applied"

    def _settle(self) -> None:
        """Bring what was cut off to its end, and the log to what is true. The session's lock is held."""
        standing = _STANDING.get(patches.settle(self._journal_dir))
        logged = self._last({"patch.applying", *_STANDING.values()})
        if standing is not None and logged is not None and logged.kind != standing:
            self._log(standing, list(logged.data["files"]))

    def _log(self, kind: str, files: list[str], parent: int = 0) -> Event:
        event = self._store.append(self._session, kind, {"files": files}, parent=parent)
        self._publish(event)
        return event

    def _last(self, kinds: set[str]) -> Event | None:
        found = None
        for event in self._store.events(self._session):
            if event.kind in kinds:
                found = event
        return found


def unlogged(store: Store, places: Places) -> Path | None:
    """The journal of a patch that stands in the files and of whose session the log knows nothing, because it was set
    aside as damaged; the latest of them, None when there is none."""
    known = store.session_ids()
    folders = (folder for folder in places.sessions.glob("*/apply") if folder.parent.name not in known)
    standing = [folder for folder in folders if patches.settle(folder) == "applied"]
    return max(standing, key=lambda folder: folder.stat().st_mtime, default=None)


def last_applied(store: Store, places: Places, root: Path) -> str | None:
    """The session whose patch was applied last and not taken back, None when there is none."""
    standing: dict[str, float] = {}
    for event in store.events_of({"patch.applying", "patch.applied", "patch.undone"}):
        standing.pop(event.session, None)
        if event.kind != "patch.undone":
            standing[event.session] = event.time
    latest_first = sorted(standing, key=standing.__getitem__, reverse=True)
    return next((name for name in latest_first if Acceptance(store, places, root, name).is_applied()), None)
