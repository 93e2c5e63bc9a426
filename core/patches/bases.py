"""The contents that changes were made from, kept while a session works: the person may change a file meanwhile, and
then only these say what a change really changes, and whether it still fits.

Whoever generates a change keeps them in `bases` of its own folder for the session, by their digests, as soon as it has
made it; the core keeps those that are still on the disk when it gets the change. They are whole, as changed files are
in the log, with whatever secret the person wrote into them; both are packed, and lie in the person's own folder.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import zlib
from collections.abc import Iterable
from pathlib import Path

from treadle.core.errors import UnsafePath
from treadle.core.patches.diff import Before, diff_text
from treadle.core.patches.patch import Patch
from treadle.core.places import Places
from treadle.core.records import Candidate, FileChange
from treadle.core.tree.reading import LARGEST, all_of
from treadle.core.tree.workspace import Tree, digest

FOLDER = "bases"


def keep(session_folder: Path, contents: Iterable[bytes]) -> None:
    """Keep these. Where there is no room, it is done without."""
    folder = session_folder / FOLDER
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        for content in contents:
            place = folder / digest(content)
            if not place.exists():
                place.with_suffix(".new").write_bytes(zlib.compress(content))
                place.with_suffix(".new").replace(place)


class Bases:
    """What is kept for one session."""

    def __init__(self, places: Places, session: str) -> None:
        self._places = places
        self._session = session
        self._own = places.session(session)

    def find(self, base: str) -> bytes | None:
        """The content with that digest, None when it is not kept."""
        for folder in (self._own, *self._places.plugin_session_folders(self._session)):
            with contextlib.suppress(OSError, zlib.error, MemoryError):
                # A plugin can write there what unpacks to a thousand times as much.
                content = zlib.decompressobj().decompress(_plain_file(folder / FOLDER, base), LARGEST + 1)
                if digest(content) == base:
                    return content
        return None

    def keep_of(self, candidate: Candidate, tree: Tree) -> None:
        """Keep what the candidate was made from, as far as it is still there."""
        keep(self._own, (content for c in candidate.files if (content := _still_there(c, tree)) is not None))


def diff_of(candidate: Candidate, tree: Tree, bases: Bases) -> str:
    """The candidate's change as a unified diff against what it was made from. Of a file that has changed since, and of
    which that is not kept, against what the tree holds. Raises `UnsafePath` and `OSError`."""
    return diff_text(Patch.of(candidate).files, _MadeFrom(candidate, tree, bases))


class MadeFrom(Before):
    """The files from which a change was made: as the tree holds them, but for those that have changed since."""

    def __init__(self, candidate: Candidate, tree: Tree, bases: Bases) -> None:
        self._tree = tree
        self._found: dict[str, bytes] = {}
        for change in Patch.of(candidate).files:
            content = _still_there(change, tree)
            if content is None and change.base is not None:
                content = bases.find(change.base)
            if content is not None:
                self._found[change.path] = content

    def exists(self, relative: str) -> bool:
        return relative in self._found or self._tree.exists(relative)

    def read(self, relative: str) -> bytes:
        return self._found[relative] if relative in self._found else self._tree.read(relative)

    def executable(self, relative: str) -> bool:
        return self._tree.executable(relative)


class _MadeFrom(MadeFrom):
    """The same, without files that the change makes, though they may be there meanwhile."""

    def __init__(self, candidate: Candidate, tree: Tree, bases: Bases) -> None:
        super().__init__(candidate, tree, bases)
        self._new = {change.path for change in Patch.of(candidate).files if change.base is None}

    def exists(self, relative: str) -> bool:
        return relative not in self._new and super().exists(relative)

    def executable(self, relative: str) -> bool:
        return relative not in self._new and super().executable(relative)


def _plain_file(folder: Path, name: str) -> bytes:
    """What the file holds. A plugin may have put anything there: no link is followed, and nothing waited for. Raises
    `OSError`."""
    at = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        opened = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=at)
    finally:
        os.close(at)
    with os.fdopen(opened, "rb") as file:
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        return all_of(file, name)


def _still_there(change: FileChange, tree: Tree) -> bytes | None:
    if change.base is None:
        return None
    try:
        content = tree.read(change.path)
    except (OSError, UnsafePath):
        return None
    return content if digest(content) == change.base else None
