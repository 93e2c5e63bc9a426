"""What the harness writes to a job's standard input while it runs."""

from __future__ import annotations

import os


class JobInput:
    """Hands data on through a non-blocking pipe; never waits for the job to read."""

    def __init__(self, descriptor: int, data: bytes) -> None:
        self.descriptor = descriptor
        self.is_open = True
        self._waiting = bytearray(data)
        self._ends = False
        os.set_blocking(descriptor, False)

    @property
    def waits(self) -> bool:
        """Whether there is something that the job has not read yet."""
        return self.is_open and bool(self._waiting)

    def add(self, data: bytes) -> None:
        """More to read."""
        self._waiting += data

    def end(self) -> None:
        """The end, after what waits."""
        self._ends = True

    def push(self) -> int:
        """Hand on what fits; how many bytes are off our hands. A job that has closed its input takes all, unread."""
        taken = 0
        if not self.is_open:
            taken = len(self._waiting)
            self._waiting.clear()
        while self.waits:
            try:
                count = os.write(self.descriptor, self._waiting[:65536])
            except BlockingIOError:
                return taken
            except BrokenPipeError:
                count = len(self._waiting)
            taken += count
            del self._waiting[:count]
        if self._ends:
            self.close()
        return taken

    def close(self) -> None:
        """Let the job read the end of the file."""
        if self.is_open:
            self.is_open = False
            os.close(self.descriptor)
