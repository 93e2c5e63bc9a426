"""Ctrl+z: the screen makes room for the shell, until `fg` brings it back."""

from __future__ import annotations

import os
import signal

from textual.app import App


def suspend(app: App[None]) -> None:
    """Stop, as the terminal itself would have it: the whole job, since the shell looks at the program that it started,
    which may be another one; and not where there is no shell that could go on with it."""
    with app.suspend():
        before = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.killpg(os.getpgrp(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, before)
    app.refresh(layout=True)
