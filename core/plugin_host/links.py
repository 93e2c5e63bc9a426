"""Symbolic links of a folder, and of a small one with all that is below it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from treadle.sandbox.links import read_link

_MOST_FOLDERS = 1000


def links_in(folder: str | os.PathLike[str]) -> Iterator[str]:
    """The symbolic links right in a folder that may lead out of it, none of what is no folder."""
    try:
        with os.scandir(folder) as entries:
            found = [entry.path for entry in entries if entry.is_symlink() and "/" in (read_link(entry.path) or "")]
    except (OSError, ValueError):
        return
    yield from sorted(found)


def links_below(folder: str | os.PathLike[str]) -> Iterator[str]:
    """As `links_in`, of a folder with those below it, at most 1,000 of them; those too that a link leads to."""
    waiting, known = [os.fspath(folder)], set[str]()  # they may lead to each other in a ring
    while waiting:
        real = os.path.realpath(waiting.pop())
        if real not in known and len(known) < _MOST_FOLDERS:
            known.add(real)
            yield from links_in(real)
            with contextlib.suppress(OSError), os.scandir(real) as entries:
                waiting += [entry.path for entry in entries if entry.is_dir()]
