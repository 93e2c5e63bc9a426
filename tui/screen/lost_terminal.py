"""A terminal that is gone takes nothing any more, and holds up nobody.

Textual's thread that writes to it ends with the first error, and whoever draws then waits for ever for room among the
pieces that it has not written: a screen whose terminal was closed could not even be left.
"""

from __future__ import annotations

import contextlib
from typing import IO, cast

from textual.drivers import linux_driver
from textual.drivers._writer_thread import WriterThread


class _Lossy:
    """The file, of which what can't be written is lost."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write(self, text: str) -> None:
        with contextlib.suppress(OSError):
            self._file.write(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError):
            self._file.flush()

    def fileno(self) -> int:
        return self._file.fileno()


class OutlivingWriter(WriterThread):
    """Takes all that is to be written up to the end, whatever becomes of the terminal."""

    def __init__(self, file: IO[str]) -> None:
        super().__init__(cast(IO[str], _Lossy(file)))


def outlive_the_terminal() -> None:
    """Have the terminal's output written in this way from now on, in this process."""
    vars(linux_driver)[WriterThread.__name__] = OutlivingWriter
