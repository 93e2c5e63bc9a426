"""Accepting what a session found: its patch goes into the person's files, and can be taken back.

An apply is an effect like any other: `patch.applying` is logged before, `patch.applied` after. What was cut off between
them is settled when the session's patch is next looked at, from the journal beside it (`core.patch`).
"""

from __future__ import annotations

from pathlib import Path

from treadle.core import patch as patches
from treadle.core.errors import PatchConflict, UsageError
from treadle.core.events import Event
from treadle.core.patch import Patch, TakenBack
from treadle.core.places import Places
from treadle.core.records import Outcome, Workspace
from treadle.core.store import Store
from treadle.core.workspace import Tree


class Acceptance:
    """The patch of one session and where it stands."""

    def __init__(self, store: Store, places: Places, root: Path, session: str) -> None:
        self._store = store
        self._root = root
        self._session = session
        self._journal_dir = places.session(session) / "apply"

    def diff(self, outcome: Outcome) -> str:
        """The session's patch as a unified diff against the files that it was made from, "" when there is none."""
        attempt = outcome.winner
        if attempt is None:
            return ""
        logged = self._last("patch.applying")
        if logged is not None and self.is_applied():
            return str(logged.data["diff"])
        here = Workspace(id="", kind="overlay", project=str(self._root), root=str(self._root), upper="")
        return patches.unified_diff(Patch.of(attempt.candidate), Tree(here))

    def is_applied(self) -> bool:
        """Whether the patch stands in the person's files now, as far as the journal knows."""
        return self._journal_dir.is_dir() and patches.settle(self._journal_dir) == "applied"

    def apply(self, outcome: Outcome) -> None:
        """Apply the patch. Raises `PatchConflict`, with nothing touched, when a file is not what the session saw."""
        attempt = outcome.winner
        if attempt is None:
            raise UsageError(f"session {self._session} has no patch that passed; there is nothing to apply")
        if self.is_applied():
            raise PatchConflict(f"the patch of session {self._session} is applied already")
        patch = Patch.of(attempt.candidate)
        with self._store.lock(self._session):
            files = [change.path for change in patch.files]
            started = self._store.append(self._session, "patch.applying", {"files": files, "diff": self.diff(outcome)})
            patches.apply(patch, self._root, self._journal_dir)
            self._store.append(self._session, "patch.applied", {"files": files}, parent=started.seq)

    def undo(self) -> TakenBack:
        """Take the patch back. Raises `PatchConflict`, with nothing touched, when a file has changed since."""
        if not self.is_applied():
            raise UsageError(f"the patch of session {self._session} is not applied; there is nothing to take back")
        with self._store.lock(self._session):
            taken = patches.undo(self._journal_dir)
            self._store.append(self._session, "patch.undone", {"files": list(taken.files)})
        return taken

    def _last(self, kind: str) -> Event | None:
        found = None
        for event in self._store.events(self._session):
            if event.kind == kind:
                found = event
        return found


def last_applied(store: Store) -> str | None:
    """The session whose patch was applied last and not taken back, None when there is none."""
    standing: dict[str, float] = {}
    for event in store.events_of({"patch.applied", "patch.undone"}):
        standing.pop(event.session, None)
        if event.kind == "patch.applied":
            standing[event.session] = event.time
    return max(standing, key=standing.__getitem__, default=None)
