"""The lock of a session where several machines share one database: an advisory lock on the server.

The file lock of this machine is held as well. It stays when the server is restarted in the middle of a session, which
drops the locks of all its clients, and it keeps two threads apart that share one connection.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from treadle.core.errors import StoreBusy
from treadle.core.store.postgres.database import PostgresSchema
from treadle.core.store.session_lock import PATIENCE_S, FileLocks

_PAUSE_S = 0.01


class ServerLocks:
    """The `SessionLocks` of a PostgreSQL schema."""

    def __init__(self, database: PostgresSchema, files: FileLocks) -> None:
        self._database = database
        self._files = files

    @contextmanager
    def hold(self, session: str) -> Iterator[None]:
        """Hold the session. Raises `StoreBusy`, naming who does."""
        with self._files.hold(session):
            deadline = time.monotonic() + PATIENCE_S
            while not self._database.try_lock(session):
                if time.monotonic() >= deadline:
                    by = self._database.holder(session) or "another program"
                    raise StoreBusy(
                        f"session {session} is in use by {by}. Wait until it has ended, or stop it, then try again."
                    )
                time.sleep(_PAUSE_S)
            try:
                yield
            finally:
                self._database.unlock(session)

    def is_held(self, session: str) -> bool:
        """Whether some program, here or on another machine, holds the session."""
        if self._files.is_held(session):
            return True
        # The server needs a moment to notice that a program was killed.
        deadline = time.monotonic() + PATIENCE_S
        while self._database.holder(session) is not None:
            if time.monotonic() >= deadline:
                return True
            time.sleep(_PAUSE_S)
        return False
