"""The `treadle` command, also reached as `python -m treadle`."""

from __future__ import annotations

import errno
import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130
# The words of `treadle.tui.sandboxing.trouble`, which can't be imported when no more files can be opened.
MORE_OPEN_FILES = "allow more open files: ulimit -n 1024"


def main() -> None:
    """Run the command line and exit with its code."""
    # Until the modules are there, nothing has been begun that would have to be ended: a Ctrl-C need not be caught where
    # it happens to strike, half-way through an import.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
    try:
        from treadle.tui.cli import main as cli_main
    except OSError as error:
        advice = f"; {MORE_OPEN_FILES}" if error.errno in (errno.EMFILE, errno.ENFILE) else ""
        sys.exit(f"treadle: its own modules can't be read: {error}{advice}")
    cli_main()


def _leave(number: int, frame: FrameType | None) -> None:
    try:  # noqa: SIM105 - what contextlib imports would leave Ctrl-C unwatched for longer
        os.write(2, b"\n" * os.isatty(2) + b"treadle: interrupted\n")  # on a terminal, below what it shows of the key
    except OSError:
        pass  # it is gone
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
