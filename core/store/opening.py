"""Which event log a project has: the SQLite file of this machine, or the database that the setting `store` names.

It is a setting and no hook: the log is there before any plugin, because it holds what plugins did and which of them
were at fault, and because a session is found in it before anybody knows what was chosen for that session.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from treadle.core.errors import StoreError
from treadle.core.places import Places
from treadle.core.store.database import BUSY_S
from treadle.core.store.store import Store


def open_store(
    setting: str, places: Places, *, clock: Callable[[], float] = time.time, busy_s: float = BUSY_S
) -> Store:
    """Open the project's event log, or start one; `setting` is the value of `store`. Raises `StoreError`."""
    if not setting:
        return Store.open(places.store, clock=clock, busy_s=busy_s)
    try:
        import psycopg  # noqa: F401 - an extra, and slow to import: only for who uses it
    except ImportError as error:
        raise StoreError(
            "the setting `store` names a PostgreSQL database, and psycopg is not installed beside Treadle: "
            f"pip install 'treadle[postgres]' ({error})"
        ) from error
    from treadle.core.store.postgres.event_log import open_event_log

    return open_event_log(setting, places, clock=clock, busy_s=busy_s)
