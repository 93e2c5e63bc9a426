"""What code does that outlasts its process, and what a process shares with its forks: where one fork meets another.

Runs in the sandbox under the person's Python (3.8 or newer) with the standard library only.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from typing import Any, Callable

_CHANGES = {
    "os.chmod": (0, 2),
    "os.link": (1, 3),
    "os.mkdir": (0, 2),
    "os.mkfifo": (0, 2),
    "os.remove": (0, 1),
    "os.rename": (1, 3),
    "os.rmdir": (0, 1),
    "os.symlink": (1, 2),
    "os.truncate": (0, None),
    "sqlite3.connect": (0, None),
}
"""Audit events of what the next fork would find: which of the arguments is the path, and which the folder that it is
relative to, where there is one. What is renamed is gone as well: that is looked at apart."""
_STARTS = {"os.exec", "os.posix_spawn", "os.spawn", "os.system", "pty.spawn", "socket.bind", "subprocess.Popen"}
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_KEPT_BETWEEN_RUNS = "/.hypothesis/"
"""What hypothesis keeps is no part of what a test sees."""
_IN_MEMORY = (":memory:", "mode=memory")
"""Names of databases that are no files."""
_DESCRIPTORS = ("/proc/self/fd", "/dev/fd")
_HELD = (stat.S_ISREG, stat.S_ISSOCK, stat.S_ISFIFO)


def open_files() -> dict[tuple[int, int], int]:
    """The files, sockets and pipes that are open in this process, by device and number, each with one descriptor. A
    file without a name is none of them: its maker alone knows it."""
    found = {}
    for name in next((os.listdir(place) for place in _DESCRIPTORS if os.path.isdir(place)), ()):
        with contextlib.suppress(OSError, ValueError):
            about = os.fstat(int(name))
            if about.st_nlink and any(is_kind(about.st_mode) for is_kind in _HELD):
                found[about.st_dev, about.st_ino] = int(name)
    return found


def held_open(before: dict[tuple[int, int], int]) -> str:
    """What was opened since then and is open still, empty where that is nothing: forks share the place at which it is
    read, so that the second one finds what the first has left of it."""
    for known, descriptor in open_files().items():
        if known not in before:
            return f"{_place_of(descriptor)} is open when the tests begin"
    return ""


def _place_of(descriptor: int) -> str:
    try:
        return os.readlink(f"/proc/self/fd/{descriptor}")
    except OSError:
        return f"file descriptor {descriptor}"


class Watch:
    """Hears what the code under test does, and notes in `seen` what of it lasts. `own`: the folder that is this
    process's own; `files`: those whose functions were swapped, so that to import them anew is to take that back."""

    def __init__(self, own: str, files: set[str]) -> None:
        self.seen = ""
        self._own = (os.path.realpath(own) + "/", own + "/")
        self._files = {os.path.realpath(file) for file in files}

    def begin(self) -> None:
        """Hear everything from now on."""
        sys.addaudithook(self.heard)
        # Without an event, multiprocessing starts its programs by this.
        with contextlib.suppress(ImportError):
            import _posixsubprocess

            _posixsubprocess.fork_exec = self._noting(_posixsubprocess.fork_exec)

    def heard(self, event: str, arguments: Any) -> None:
        """An audit hook."""
        if self.seen or event in ("import", "object.__getattr__"):
            return
        if event == "open":
            path, _, flags = arguments
            if isinstance(flags, int) and flags & _WRITES:
                self._note("it writes", path)
        elif event == "exec":
            if os.path.realpath(getattr(arguments[0], "co_filename", "")) in self._files:
                self.seen = "it imports the file anew"
        elif event in _CHANGES:
            path, folder = _CHANGES[event]
            self._note("it changes", arguments[path], _argument(arguments, folder))
            if event == "os.rename":
                self._note("it changes", arguments[0], _argument(arguments, 2))
        elif event in _STARTS:
            self.seen = f"its tests use {event}"

    def _noting(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*arguments: Any) -> Any:
            self.seen = self.seen or "its tests start a program"
            return function(*arguments)

        return noted

    def _note(self, what: str, path: Any, folder: Any = None) -> None:
        if isinstance(path, int):
            return
        try:
            name = os.fsdecode(path)
        except (TypeError, ValueError):
            return
        if isinstance(folder, int) and folder >= 0:
            name = os.path.join(_place_of(folder), name)
        full = os.path.abspath(name)
        is_apart = f"{full}/".startswith(self._own) or any(each in name for each in _IN_MEMORY)
        if not is_apart and not full.startswith("/dev/") and _KEPT_BETWEEN_RUNS not in full:
            self.seen = f"{what} {full}"


def _argument(arguments: Any, place: int | None) -> Any:
    return arguments[place] if place is not None and place < len(arguments) else None
