"""Going through folders that somebody else has filled, and making such: any depth, never through a link.

`os.walk` and `Path.rglob` recurse before Python 3.12 and 3.13, and end with a `RecursionError` about a thousand levels
down; `shutil.copytree` does so in every version. Who needs no more than so much stops to ask.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path


def walk(
    top: Path, failed: Callable[[OSError], object] = lambda error: None
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Each folder, `top` first and those above before those below: its name relative to `top` (`.` for that itself),
    the names of the folders right in it and of all else, links among that; both sorted. The list of folders says which
    are gone into next, and may be changed for that. `failed` is told of each folder that can't be read, which one is
    not either whose path is too long for the operating system."""
    waiting = ["."]
    while waiting:
        name = waiting.pop()
        try:
            folders, others = _in(top / name)
        except OSError as error:
            failed(error)
            continue
        yield name, folders, others
        waiting += (each if name == "." else f"{name}/{each}" for each in reversed(folders))


def copy_folder(top: Path, target: Path) -> None:
    """Copy all that lies below `top` to a folder that is not there yet, with modes and times, links as links. Raises
    `OSError`, also for what is neither file, folder nor link."""
    target.mkdir()
    entered: list[str] = []
    for name, folders, others in walk(top, _raise):
        entered.append(name)
        for each in folders:
            (target / name / each).mkdir()
        for each in others:
            shutil.copy2(top / name / each, target / name / each, follow_symlinks=False)
    for name in reversed(entered):  # a folder that nobody may write in is filled by now
        shutil.copystat(top / name, target / name)


def make_folders(folder: Path, mode: int = 0o777) -> None:
    """Make the folder, and those above it that are missing, all with that mode. Raises `OSError`, also where something
    else is in the way. (`Path.mkdir` recurses to make those above.)"""
    missing = []
    at = folder
    while not at.is_dir():
        missing.append(at)
        at = at.parent
    for each in reversed(missing):
        with suppress(FileExistsError):
            each.mkdir(mode)
    if not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))


def _in(folder: Path) -> tuple[list[str], list[str]]:
    folders: list[str] = []
    others: list[str] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            (folders if entry.is_dir(follow_symlinks=False) else others).append(entry.name)
    return sorted(folders), sorted(others)


def _raise(error: OSError) -> None:
    raise error
