"""Running a command in a process of its own, again whenever something changes, until Ctrl-C."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from typing import Protocol

import psutil

from treadle.tui.exit_codes import ExitCode

LOOK_EVERY_S = 0.3
"""Seconds between two looks for changes."""
OWN_END_S = 2.0
"""Seconds that a command has for ending by itself after Ctrl-C, which a terminal sends to it as well as to us."""
ASKED_END_S = 5.0
"""Seconds that it has for ending when it was asked to, before it is killed with all that it started."""


class Told(Protocol):
    """What is said of the runs, to whoever watches them."""

    def changed(self, names: tuple[str, ...], *, at_work: bool) -> None:
        """These files have changed, and the run that is at work, if one is, is ended for that."""

    def ended(self, code: int, seconds: float) -> None:
        """A run has ended by itself."""

    def waiting(self) -> None:
        """Nothing could be run."""

    def interrupted(self) -> None:
        """It was interrupted, and nothing is at work any more."""


def rerun(
    start: Callable[[], subprocess.Popen[bytes] | None], changed: Callable[[], tuple[str, ...]], told: Told
) -> int:
    """Run what `start` starts (None: nothing can be run as it is), and anew when `changed` names files, whether or not
    the run before has ended. Goes on until it is interrupted; the exit code for that. Nothing that it started is left
    then."""
    with _ended_by_signals():
        process: subprocess.Popen[bytes] | None = None
        try:
            while True:
                process, began = start(), time.monotonic()
                if process is None:
                    told.waiting()
                names = _until_changed(process, began, changed, told)
                told.changed(names, at_work=process is not None and process.poll() is None)
                end(process)
        except KeyboardInterrupt:
            end(process, after_s=OWN_END_S)
            told.interrupted()
            return ExitCode.INTERRUPTED


def end(process: subprocess.Popen[bytes] | None, *, after_s: float = 0.0) -> None:
    """Let it end in order, as by Ctrl-C; it is killed with all that it started when it does not. `after_s`: seconds in
    which it may end without being asked."""
    if process is None or process.poll() is not None:
        return
    try:
        if after_s and _has_ended(process, after_s):
            return
        process.send_signal(signal.SIGINT)
        if _has_ended(process, ASKED_END_S):
            return
    except KeyboardInterrupt:  # pressed again
        _kill(process)
        raise
    _kill(process)


def _until_changed(
    process: subprocess.Popen[bytes] | None, began: float, changed: Callable[[], tuple[str, ...]], told: Told
) -> tuple[str, ...]:
    at_work = process is not None
    while True:
        if process is not None and at_work:
            at_work = not _has_ended(process, LOOK_EVERY_S)
            if not at_work:
                told.ended(process.returncode, time.monotonic() - began)
        else:
            time.sleep(LOOK_EVERY_S)
        if names := changed():
            return names


def _has_ended(process: subprocess.Popen[bytes], within_s: float) -> bool:
    try:
        process.wait(within_s)
    except subprocess.TimeoutExpired:
        return False
    return True


def _kill(process: subprocess.Popen[bytes]) -> None:
    try:
        family = psutil.Process(process.pid).children(recursive=True)
    except psutil.Error:
        family = []
    process.kill()
    for each in family:
        with contextlib.suppress(psutil.Error):
            each.kill()
    process.wait()


@contextlib.contextmanager
def _ended_by_signals() -> Iterator[None]:
    """While the block runs, a closed terminal and SIGTERM do what Ctrl-C does."""

    def strike(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = {number: signal.signal(number, strike) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
