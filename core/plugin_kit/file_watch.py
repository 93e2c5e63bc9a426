"""Which of a plugin's files have changed, by their sizes and times.

Looked at are the Python files and the pyproject.toml of its folder, and all files of its own package, since data counts
there too. What tools keep for themselves does not.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from treadle.core.errors import UsageError
from treadle.core.plugin_kit import plugin_folder

_MOST_FILES = 5000
_NOT_OURS = frozenset({"build", "dist", "node_modules", "venv"})
_SETTLED_S = 0.1

_Marks = dict[str, tuple[int, int, int]]


class PluginFiles:
    """The files of a plugin's folder, or the Python file that it is and the test beside it."""

    def __init__(self, path: Path, sleep: Callable[[float], object] = time.sleep) -> None:
        self._path = path.resolve()
        self._is_folder = path.is_dir()
        self._sleep = sleep
        self._own = self._places()
        self._known = self._marks()

    def changed(self) -> tuple[str, ...]:
        """The files that are new, gone or others than when this was asked last, as paths in the folder. An editor takes
        several steps to save one, so they are waited for until nothing is written for a moment."""
        now = self._marks()
        if now == self._known:
            return ()
        before, last = self._known, None
        while now != last:
            self._sleep(_SETTLED_S)
            last, now = now, self._marks()
        self._known = now
        names = sorted(file for file in {*before, *now} if before.get(file) != now.get(file))
        if any(name.endswith("pyproject.toml") for name in names):
            self._own = self._places()
        folder = self._path if self._is_folder else self._path.parent
        return tuple(
            str(Path(name).relative_to(folder)) if Path(name).is_relative_to(folder) else name for name in names
        )

    def _marks(self) -> _Marks:
        if self._is_folder:
            files = list(self._of_folder())
        else:
            files = [str(self._path), str(self._path.with_name(f"test_{self._path.name}"))]
        return {file: mark for file in files if (mark := _mark(file)) is not None}

    def _places(self) -> tuple[str, ...]:
        """Where the plugins' own packages lie."""
        try:
            found = plugin_folder.read(self._path).plugins
        except UsageError:  # its pyproject.toml is gone, for the moment
            return ()
        return tuple(str(each.place) for each in found if each.place is not None and each.place.is_dir())

    def _of_folder(self) -> Iterator[str]:
        beginnings = tuple(place + os.sep for place in self._own)
        seen = 0
        waiting = [str(self._path), *(each for each in self._own if not Path(each).is_relative_to(self._path))]
        while waiting and seen < _MOST_FILES:
            for entry in _entries(waiting.pop()):
                seen += 1
                own = entry.path.startswith(beginnings)
                if entry.name.startswith((".", "#", "__pycache__")) or entry.name.endswith("~"):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    if own or _is_source(entry):
                        waiting.append(entry.path)
                elif own or entry.name.endswith(".py") or entry.name == "pyproject.toml":
                    yield entry.path


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda each: each.name)
    except OSError:
        return []


def _is_source(entry: os.DirEntry[str]) -> bool:
    name = entry.name
    return name not in _NOT_OURS and not name.endswith(".egg-info") and not Path(entry.path, "pyvenv.cfg").exists()


def _mark(file: str) -> tuple[int, int, int] | None:
    try:
        status = Path(file).stat()
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
