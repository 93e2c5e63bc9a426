"""What is said between the runs of a plugin under development: a ruled line for each thing that happens."""

from __future__ import annotations

import shlex
import shutil
import sys
import time

import click

from treadle.tui.safe_text import clean_line

_WIDEST = 80
_NAMES_SHOWN = 3


class DevelopmentLog:
    """Implements `rerun.Told`, on standard error."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self._what = f"treadle {shlex.join(command)}" if command else "its tests"
        self._has_begun = False

    def begins(self) -> None:
        """The plugin is looked at, and run then. What is run is said once: it is always the same."""
        if not self._has_begun:
            self._rule(self._what)
        self._has_begun = True

    def changed(self, names: tuple[str, ...], *, at_work: bool) -> None:
        """Says which files."""
        more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
        self._rule(f"changed: {', '.join(names[:_NAMES_SHOWN])}{more}{'; ending this run' if at_work else ''}")

    def ended(self, code: int, seconds: float) -> None:
        """Says how, and what is waited for."""
        how = f"exit code {code}" if code >= 0 else f"ended by signal {-code}"
        self._rule(f"{how} after {seconds:.1f} s; waiting for a change, Ctrl-C ends")

    def waiting(self) -> None:
        """Says so."""
        self._rule("not run; waiting for a change, Ctrl-C ends")

    def interrupted(self) -> None:
        """Says so."""
        self._rule("interrupted")

    def _rule(self, text: str) -> None:
        line = f"-- {time.strftime('%H:%M:%S')}  {clean_line(text)} "
        if not sys.stderr.isatty():
            click.echo(line.rstrip(), err=True)
            return
        # Over a live line of the run, or what the terminal shows of Ctrl-C.
        width = min(_WIDEST, shutil.get_terminal_size().columns) - 1
        click.echo(f"\r\x1b[2K{line.ljust(width, '-')}", err=True)
