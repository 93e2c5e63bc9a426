"""A real terminal of 80 columns, on which a command runs as a person would run it."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

import psutil

LONGEST_S = 60


class Terminal:
    """Runs one command. `said` is all that it has written; leaving the block ends it and what it started."""

    def __init__(self, command: Sequence[str], folder: Path, env: Mapping[str, str]) -> None:
        self.said = ""
        self._read = 0
        self.pid, self._terminal = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execve(command[0], list(command), {**env, "TERM": "xterm"})
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def wait_for(self, text: str) -> str:
        """Read until it says this, behind what was waited for before; what it said until then."""
        deadline = time.monotonic() + LONGEST_S
        while text not in self.said[self._read :]:
            assert time.monotonic() < deadline, f"{text!r} was not said in:\n{self.said}"
            assert self._more(), f"it ended before it said {text!r}:\n{self.said}"
        begin, self._read = self._read, self.said.index(text, self._read) + len(text)
        return self.said[begin : self._read]

    def type(self, text: str) -> None:
        """Press keys; "\\x03" is Ctrl-C."""
        os.write(self._terminal, text.encode())

    def ended(self) -> int:
        """Read to its end; its exit code."""
        while self._more():
            pass
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        return os.waitstatus_to_exitcode(status)

    def family(self) -> list[psutil.Process]:
        """What it has started."""
        return psutil.Process(self.pid).children(recursive=True)

    def _more(self) -> bool:
        if not select.select([self._terminal], [], [], LONGEST_S)[0]:
            raise AssertionError(f"nothing was said for {LONGEST_S} s, after:\n{self.said}")
        try:
            data = os.read(self._terminal, 65536)
        except OSError:
            return False
        self.said += data.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(data)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.pid:
            family = self.family()
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            for process in family:
                if process.is_running():
                    process.kill()
        os.close(self._terminal)
