"""The `treadle` command, also reached as `python -m treadle`."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130


def main() -> None:
    """Run the command line and exit with its code."""
    # Until the modules are there, nothing has been begun that would have to be ended: a Ctrl-C need not be caught where
    # it happens to strike, half-way through an import.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
    try:
        from treadle.tui.cli import main as cli_main
    except OSError as error:
        sys.exit(f"treadle: its own modules can't be read: {error}. Are open files short? See `ulimit -n`.")
    cli_main()


def _leave(number: int, frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
