"""What every executor does alike, wherever it runs its jobs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future, wait

from treadle import sandbox
from treadle.core.errors import InterpreterError, UnsafePath, WorkspaceError
from treadle.core.records import Limits

REFUSING = (InterpreterError, UnsafePath, WorkspaceError, ValueError)
"""What keeps a job from being run at all, with the reason as its text."""

_MOUNTING = frozenset({"userns", "mountns", "overlay"})
_ASK_EVERY_S = 0.05


def overlay_possible(limits: Limits) -> bool:
    """Whether jobs can be shown a folder that they can't change, on this machine and with the layers that are left."""
    return _MOUNTING.isdisjoint(limits.without) and sandbox.has_layer("overlay")


def refused(error: Exception) -> sandbox.Result:
    """The result of a job that is not run, for one of `REFUSING`."""
    return sandbox.Result("refused", message=str(error))


def wait_for(futures: Iterable[Future[sandbox.Result]], cancelled: Callable[[], bool], cancel: threading.Event) -> None:
    """Wait for all, and pass on that they are not wanted any more."""
    pending = set(futures)
    while pending:
        if cancelled():
            cancel.set()
        pending = wait(pending, timeout=_ASK_EVERY_S).not_done
