"""A project's own plugins as the person trusted them: a copy of the bytes that were hashed, from which they are run.

What lies in the project can change at any moment, and Python prefers bytecode beside a source to the source itself.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from treadle.core import paths
from treadle.core.config.trust import PROJECT_PLUGINS, Content
from treadle.core.errors import UnusableHome
from treadle.core.places import private_folder
from treadle.core.records import Record
from treadle.core.tree.remove_tree import remove_tree
from treadle.core.walking import make_folders, walk

_KEPT_S = 24 * 3600.0  # another program may still start processes from an older copy


class TrustedCopy(Record, frozen=True, kw_only=True):
    """Where the trusted plugins lie: `folder` holds what the project's `.treadle/plugins` held, and `hash` stands for
    it."""

    folder: Path
    hash: str


def copy_of(content: Content, place: Path) -> TrustedCopy:
    """The copy of the content's plugins below `place`, made now unless it is there; copies of other contents go when
    nobody took them for a day. Raises `UnusableHome` when it can't be made."""
    private_folder(place)
    copy = place / content.plugins_hash.rpartition(":")[2]
    try:
        if _held(copy) != content.plugins:
            _make(content.plugins, copy)
        os.utime(copy)
        _forget_others(copy)
    except OSError as error:
        raise UnusableHome(
            f"Treadle can't keep the project's trusted plugins in {paths.encode(copy)}: {error.strerror or error}. "
            "Make the folder writable, or name another one with TREADLE_HOME."
        ) from error
    return TrustedCopy(folder=copy / PROJECT_PLUGINS, hash=content.plugins_hash)


def _make(files: Mapping[str, bytes], copy: Path) -> None:
    made = Path(tempfile.mkdtemp(dir=copy.parent, prefix="new-"))
    try:
        for name, data in files.items():
            file = paths.on_disk(made, name)
            make_folders(file.parent, 0o700)
            file.write_bytes(data)
            file.chmod(0o400)
        if copy.is_dir():
            copy.rename(made.with_name(made.name.replace("new-", "old-", 1)))
        try:
            made.rename(copy)
        except OSError:
            if _held(copy) != files:  # else another program was faster
                raise
    finally:
        _remove(made)


def _held(copy: Path) -> dict[str, bytes]:
    """All that lies there; a link or a pipe, which no copy holds, as something that no file is."""
    if copy.is_symlink() or not copy.is_dir():
        return {}
    files = (copy / folder / name for folder, _, names in walk(copy) for name in names)
    return {
        paths.relative_to(copy, file): file.read_bytes() if file.is_file() and not file.is_symlink() else b"\0no file"
        for file in files
    }


def _forget_others(copy: Path) -> None:
    for other in copy.parent.iterdir():
        with contextlib.suppress(OSError):  # another program renames what it has made, or forgets it first
            if other != copy and time.time() - other.lstat().st_mtime > _KEPT_S:
                _remove(other)


def _remove(made: Path) -> None:
    with contextlib.suppress(OSError):
        remove_tree(made.parent, made.name)
