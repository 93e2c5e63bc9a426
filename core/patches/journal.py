"""The journal of one apply: what every file was and will be, safe on disk before the first of them is touched.

A journal is a folder: `journal.json` says what is being done, `before/N` holds the N-th file as it was, `after/N` as
the patch makes it, from which is told what somebody else has changed in it since. It is written
completely, and made durable, before anything else; it therefore either is not there (and nothing was touched) or tells
how to take everything back. The order of writes (file, fsync, rename, fsync of the folder) follows fsync(2), rename(2).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import msgspec

from treadle.core.errors import PatchError
from treadle.core.records import Record

State = Literal["applying", "applied", "undoing", "undone"]
Kept = Literal["before", "after", "merged"]


class Entry(Record, frozen=True, kw_only=True):
    """One file: digests and permission bits before and after (None where it does not exist), `temporary` the portable
    path of the file that is renamed onto it. `merged`: somebody has changed other lines of it since, and what it
    will be without the patch, and with those, lies in `merged/N`."""

    path: str
    before: str | None
    before_mode: int | None
    after: str | None
    after_mode: int | None
    temporary: str
    merged: bool = False


class Journal(Record, frozen=True, kw_only=True):
    """`project` is the portable form of its absolute path; `folders` are those that the apply makes, outermost first;
    `patch` is the patch's digest."""

    state: State
    project: str
    patch: str
    entries: tuple[Entry, ...]
    folders: tuple[str, ...] = ()


def load(folder: Path) -> Journal | None:
    """The journal in that folder, None when none was completed. Raises `PatchError` when it can't be read."""
    place = folder / "journal.json"
    try:
        return msgspec.json.decode(place.read_bytes(), type=Journal)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise PatchError(
            f"the journal {place} can't be read ({error}); the files as they were lie beside it"
        ) from error


def save(folder: Path, journal: Journal) -> None:
    """Replace the journal in that folder, durably."""
    write_durably(folder / "journal.json.new", msgspec.json.encode(journal))
    (folder / "journal.json.new").replace(folder / "journal.json")
    sync_folder(folder)


def keep(folder: Path, number: int, content: bytes, what: Kept = "before") -> None:
    """Keep the N-th file as it was, or is to be."""
    (folder / what).mkdir(parents=True, exist_ok=True)
    write_durably(folder / what / str(number), content)


def kept(folder: Path, number: int, what: Kept = "before") -> bytes:
    """The N-th file as it was, or is to be. Raises `OSError` where that is not kept."""
    return (folder / what / str(number)).read_bytes()


def write_durably(place: Path, content: bytes, *, new: Callable[[int], None] | None = None) -> None:
    """Write a file of our own, and wait until it is on the disk. An `OSError` names the file. `new`: it must not be
    there yet, not even as a link, and this is called with its descriptor once it is written."""
    try:
        with place.open("wb" if new is None else "xb") as file:
            file.write(content)
            file.flush()
            if new is not None:
                new(file.fileno())
            os.fsync(file.fileno())
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(place)) from error


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
