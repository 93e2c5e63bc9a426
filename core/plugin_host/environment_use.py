"""Environments of plugins that somebody uses: what is removed or replaced meanwhile stays until nobody does.

Whoever may start a process from an environment holds a shared lock (flock(2)) on its folder, which ends with whoever
holds it, however that ends. What is deleted is locked alone first.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Callable
from pathlib import Path

from treadle.core.tree.remove_tree import remove_tree

_OPEN = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class EnvironmentsInUse:
    """Those that one program uses."""

    def __init__(self) -> None:
        self._held: dict[Path, int] = {}

    def hold(self, folder: Path) -> None:
        """Use this environment until `release`. One that is gone, or is being deleted, can't be used, which who starts
        it is told."""
        if folder in self._held:
            return
        with contextlib.suppress(OSError):
            opened = os.open(folder, _OPEN)
            try:
                fcntl.flock(opened, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except OSError:
                os.close(opened)
            else:
                self._held[folder] = opened

    def release(self, is_named: Callable[[Path], bool]) -> None:
        """Use none of them any more, and delete those that are not named by the index: somebody removed or replaced
        them meanwhile."""
        while self._held:
            folder, opened = self._held.popitem()
            os.close(opened)
            if not is_named(folder):
                delete_unused(folder)


def delete_unused(folder: Path) -> bool:
    """Delete the environment, as far as that can be done; False, with all of it left, while somebody uses it."""
    try:
        opened = os.open(folder, _OPEN)
    except OSError:  # it is gone, or no folder
        return True
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    else:
        with contextlib.suppress(OSError):
            remove_tree(folder.parent.resolve(), folder.name)
        return True
    finally:
        os.close(opened)
