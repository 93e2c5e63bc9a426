"""Going on from a session in a copy of it: the original stays as it is.

The copy has what the original had done, with what plugins keep of it in their folders. Whatever stands in the person's
files is the original's: the copy has applied nothing and has nothing to take back.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Collection
from pathlib import Path

import msgspec

from treadle.core.acceptance import Acceptance
from treadle.core.errors import StoreBusy, StoreError, UnknownSession, UnsafePath
from treadle.core.patches.bases import FOLDER as BASES
from treadle.core.places import Places
from treadle.core.store.session_finder import SessionRow
from treadle.core.store.store import Store
from treadle.core.tree.reading import open_regular
from treadle.core.walking import walk


def fork(store: Store, places: Places, name: str, task_id: str) -> SessionRow:
    """A copy of the session, whose task has that id. Raises `StoreBusy` while a program is at work on it, `UsageError`
    where it has not begun, and `StoreError` where what is kept for it can't be copied; there is no copy then."""
    row = store.session(name)
    if store.is_locked(row.id):
        raise StoreBusy(f"session {row.id} is at work and can't be forked now. Stop it, or wait until it has ended.")
    with store.lock(row.id):
        copy = store.copy_session(row.id, msgspec.structs.replace(row.task, id=task_id))
        try:
            _bring_along(places, row.id, copy.id, _workspaces(store, row.id))
        except OSError as error:
            store.purge(copy.id)
            raise StoreError(f"what is kept for session {row.id} can't be copied: {error.strerror or error}") from error
    return copy


def applied_by(store: Store, places: Places, root: Path, session: str) -> str | None:
    """The session whose patch stands in the person's files: this one, or one that it is a fork of; None: neither."""
    at: str | None = session
    while at is not None:
        if Acceptance(store, places, root, at).is_applied():
            return at
        try:
            at = store.session(at).parent
        except UnknownSession:  # deleted meanwhile
            return None
    return None


def _workspaces(store: Store, session: str) -> frozenset[str]:
    """Where jobs saw the project: made anew when a session goes on."""
    opened = (event.data for event in store.events(session) if event.kind == "workspace.opened")
    return frozenset(str(data[place]) for data in opened for place in ("root", "upper") if data.get(place))


def _bring_along(places: Places, original: str, copy: str, leave: Collection[str]) -> None:
    """Copy what the core and the plugins keep for the session. Raises `OSError`."""
    bases = places.session(original) / BASES
    if bases.is_dir():
        target = places.session(copy)
        target.mkdir(mode=0o700, exist_ok=True)
        _copy_files(bases, target / BASES, leave)
    for folder in places.plugin_session_folders(original):
        keeps_in = folder.parent.parent.name
        _copy_files(folder, places.make_plugin_session_folder(keeps_in, copy), leave)


def _copy_files(source: Path, target: Path, leave: Collection[str]) -> None:
    """Copy the plain files below a folder, without the folders to `leave`. Links are left out: what lies here may be a
    plugin's doing, and none is followed."""
    for at, folders, files in walk(source):
        there = target / at
        there.mkdir(mode=0o700, exist_ok=True)
        folders[:] = [name for name in folders if str(source / at / name) not in leave]
        for name in files:
            with contextlib.suppress(UnsafePath):  # no plain file, or a link on the way by now
                opened = open_regular(source, source / at / name, name)
                with os.fdopen(opened, "rb") as file, (there / name).open("xb") as written:
                    shutil.copyfileobj(file, written)
