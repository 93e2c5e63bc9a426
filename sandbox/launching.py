"""Launching the interpreter of a server, which takes most of a server's start; one can be launched ahead.

It knows nothing of what it will be asked for: it has imported the server's modules, and waits for its first frame.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import NamedTuple

# The server runs under this interpreter without site-packages; only its own modules are made importable.
_BOOT = """
import sys, types
for name, path in (("treadle", sys.argv[1]), ("treadle.sandbox", sys.argv[2])):
    module = types.ModuleType(name)
    module.__path__ = [path]
    sys.modules[name] = module
from treadle.sandbox.server.main import main
main()
import os
os._exit(0)  # what the interpreter would free one by one, the kernel takes back at once
"""


class Launched(NamedTuple):
    """The interpreter of a server that has not been told yet what for. It ends when the connection does."""

    process: subprocess.Popen[bytes]
    connection: socket.socket

    def discard(self) -> None:
        """End it, unused."""
        self.connection.close()
        self.process.wait()
        if self.process.stderr:
            self.process.stderr.close()


class _Ahead:
    """At most one that was launched ahead."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: Launched | None = None

    def fill(self) -> None:
        with self._lock:
            if self._waiting is None:
                self._waiting = _launch()

    def take(self) -> Launched | None:
        with self._lock:
            waiting, self._waiting = self._waiting, None
        if waiting is not None and waiting.process.poll() is not None:
            waiting.discard()
            return None
        return waiting

    def forget(self) -> None:
        """In a fork of this process: it is the other one's, and waits for the end of its connection."""
        self._lock = threading.Lock()
        if self._waiting is not None:
            self._waiting.connection.close()
            self._waiting = None


_ahead = _Ahead()
os.register_at_fork(after_in_child=_ahead.forget)


def prepare() -> None:
    """Launch a server ahead, unless one waits already: the next one that is needed is there so much sooner. Nothing
    happens where it can't be launched: who needs one is told why."""
    try:
        _ahead.fill()
    except OSError:
        return


def launch() -> Launched:
    """The one that was launched ahead, or a new one. Raises `OSError`."""
    return _ahead.take() or _launch()


def discard_prepared() -> None:
    """End the one that was launched ahead, if there is one."""
    waiting = _ahead.take()
    if waiting is not None:
        waiting.discard()


def _launch() -> Launched:
    ours, theirs = socket.socketpair()
    package = Path(__file__).resolve().parent
    treadle = sys.modules["treadle"].__path__[0]
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _BOOT, treadle, str(package)],
            stdin=theirs.fileno(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={"PATH": os.defpath, "LANG": "C.UTF-8"},
            cwd="/",
            start_new_session=True,
        )
    return Launched(process, ours)
