"""What keeps an open database whole over a fork: the child gets a connection of its own, the parent keeps its.

A thread that is inside of a database while another one forks holds locks that nobody in the child would release, so a
fork waits until all are outside.
"""

from __future__ import annotations

import os
import threading
import weakref


class ForkSafe:
    """Something that is used under `self._lock` only, and leaves what it has open to the parent."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        _all.add(self)

    def _leave_to_parent(self) -> None:
        """In the child: forget what came over the fork, without touching what the parent goes on to use."""
        raise NotImplementedError


_all: weakref.WeakSet[ForkSafe] = weakref.WeakSet()
_forking = threading.Lock()
_held_for_fork: list[ForkSafe] = []


def _hold_still() -> None:
    _forking.acquire()
    for each in list(_all):
        each._lock.acquire()
        _held_for_fork.append(each)


def _go_on_in_parent() -> None:
    while _held_for_fork:
        _held_for_fork.pop()._lock.release()
    _forking.release()


def _go_on_in_child() -> None:
    while _held_for_fork:
        each = _held_for_fork.pop()
        each._leave_to_parent()
        each._lock = threading.RLock()
    _forking.release()


os.register_at_fork(before=_hold_still, after_in_parent=_go_on_in_parent, after_in_child=_go_on_in_child)
