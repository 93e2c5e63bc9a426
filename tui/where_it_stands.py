"""An interruption by Ctrl-C, by SIGTERM or by a terminal that closes: how it is noticed, and what is said of it."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Iterator
from types import FrameType

import click

from treadle.tui.exit_codes import ExitCode
from treadle.tui.fitting import tell
from treadle.tui.safe_text import clean_line


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Within the block SIGTERM and SIGHUP interrupt as Ctrl-C does, with `KeyboardInterrupt`, so that where things
    stand can be told; what is ignored stays ignored."""
    numbers = [signal.SIGTERM] + ([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])
    taken = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    for number in taken:
        signal.signal(number, _interrupt)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def tell_interruption(where_it_stands: str = "", go_on: str = "") -> int:
    """Say that it was interrupted, where things stand, and the command that goes on; the exit code. The terminal may be
    gone."""
    with contextlib.suppress(OSError):
        if sys.stderr.isatty():
            click.echo(err=True)  # below what the terminal shows of the key
        tell("; ".join(filter(None, ("treadle: interrupted", clean_line(where_it_stands)))), err=True)
        if go_on:  # on a line of its own, so that it can be copied
            tell(f"Go on with: {clean_line(go_on)}", err=True)
    return ExitCode.INTERRUPTED
