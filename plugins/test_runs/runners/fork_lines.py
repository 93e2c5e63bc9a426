"""The lines that forks of a traced process execute, which have no memory that the process could read.

Each is put down at once when it is new to the fork: what a pool of workers consists of is ended by a signal. All forks
append to one file, which is opened for each line, since a fork may close what it finds open.

Runs in the sandbox under the person's Python (3.8 or newer) with the standard library only.
"""

from __future__ import annotations

import functools
import json
import os
from typing import Any, Callable

_LARGEST = 1 << 23  # bytes


def teller(folder: str) -> Callable[[str, str, int], None]:
    """What puts down that a line of a file was executed: its record's name, the file and the line."""
    # By their own names: the tests may put others in the place of those in `os`.
    return functools.partial(_tell, (os.open, os.write, os.fstat, os.close), os.path.join(folder, "forks"))


def _tell(calls: Any, path: str, record: str, file: str, line: int) -> None:
    opened, write, status, close = calls
    try:
        descriptor = opened(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            if status(descriptor).st_size < _LARGEST:
                write(descriptor, json.dumps([record, file, line]).encode("ascii") + b"\n")
        finally:
            close(descriptor)
    except OSError:
        pass  # it may have shut itself off, and has something else to do


class ForkLines:
    """Reads what is put down in that folder."""

    def __init__(self, folder: str) -> None:
        self._path = os.path.join(folder, "forks")
        self._read = 0

    def take(self) -> list[list[Any]]:
        """What has come since the last call."""
        try:
            with open(self._path, "rb") as file:
                file.seek(self._read)
                lines = file.read().splitlines(keepends=True)
        except FileNotFoundError:
            return []
        whole = [line for line in lines if line.endswith(b"\n")]
        self._read += sum(map(len, whole))
        return [json.loads(line) for line in whole]
