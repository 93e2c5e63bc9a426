"""The event log over each of its back ends, so that one test states what both must keep."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from tests.postgres_server import Server
from treadle.core.places import Places
from treadle.core.store.database import BUSY_S
from treadle.core.store.opening import open_store
from treadle.core.store.store import Store


class EventLogs:
    """Opens the event log of one project again and again; `server` None stands for SQLite."""

    def __init__(self, places: Places, server: Server | None) -> None:
        self.places = places.make()
        self.server = server
        self.setting = server.url() if server else ""

    def open(self, clock: Callable[[], float] = time.time, busy_s: float = BUSY_S) -> Store:
        """Open it in this process."""
        return open_store(self.setting, self.places, clock=clock, busy_s=busy_s)

    @property
    def arguments(self) -> tuple[str, str, str]:
        """What a script of another process needs for `OPEN`."""
        return self.setting, str(self.places.home), str(self.places.project)


OPEN = """
import sys
from treadle.core.places import Places
from treadle.core.store.opening import open_store
setting, home, project, *rest = sys.argv[1:]
def open_log():
    return open_store(setting, Places(home, project))
"""
"""How a script opens the log; its own arguments are in `rest`."""


def places_in(folder: Path) -> Places:
    """The places of a project that nobody else has."""
    return Places(folder / "home", folder / "project")
