"""Opening a project's event log in PostgreSQL."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from treadle.core.places import Places
from treadle.core.store.database import BUSY_S
from treadle.core.store.postgres.database import PostgresSchema
from treadle.core.store.postgres.naming import schema_name
from treadle.core.store.postgres.schema import MIGRATIONS
from treadle.core.store.postgres.server_locks import ServerLocks
from treadle.core.store.postgres.text_search import PostgresSearch
from treadle.core.store.session_lock import FileLocks
from treadle.core.store.store import Store


def open_event_log(
    url: str, places: Places, *, clock: Callable[[], float] = time.time, busy_s: float = BUSY_S
) -> Store:
    """Open the event log of the project, or start one. Raises what `PostgresSchema` raises."""
    named = partial(schema_name, "log", places.project)
    database = PostgresSchema(url, named, MIGRATIONS, what="event log", busy_s=busy_s)
    files = FileLocks(places.sessions)
    return Store(database, PostgresSearch(database), files, clock, locks=ServerLocks(database, files))
