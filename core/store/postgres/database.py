"""One schema of a PostgreSQL database, opened with care: migrated, usable from several threads and processes, safe over
a fork, and reached again after the server was away.

What a transaction stored is on the server's disk when it returns, as far as its administrator lets it
(`synchronous_commit`). A client that is killed leaves nothing half done: the server takes back what was not committed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import psycopg

from treadle.core.durations import in_seconds
from treadle.core.errors import StoreBusy, StoreError, StoreUnreachable
from treadle.core.store.back_end import Transaction
from treadle.core.store.database import BUSY_S
from treadle.core.store.fork_safety import ForkSafe
from treadle.core.store.postgres import naming
from treadle.core.store.postgres.connecting import Server, connect, described

Migration = Sequence[str]
"""One step: the statements that bring a schema from the version of its place in the list to the next one."""


class PostgresSchema(ForkSafe):
    """One schema, and the one connection to it. It is a `BackEnd`."""

    notices: tuple[str, ...] = ()

    def __init__(
        self,
        url: str,
        schema_of: Callable[[str], str],
        migrations: Sequence[Migration],
        *,
        what: str,
        busy_s: float = BUSY_S,
    ) -> None:
        """Open or create the schema that `schema_of` names for the server's name of this person. `what` names it in
        messages, `busy_s` is how long to wait for another program. Raises `StoreBusy` after that, `StoreUnreachable`
        without a connection, `StoreError` when it can't be used or is newer than this program."""
        self._url = url
        self._schema_of = schema_of
        self._migrations = migrations
        self._busy_s = busy_s
        self._connection: psycopg.Connection[Any] | None = None
        self._closed = False
        self._locked: set[str] = set()
        self._lost: set[str] = set()
        self.server: Server = described(url)
        self.schema = ""
        self._what = what
        super().__init__()  # last: from here on a fork takes care of it
        with self._lock, self._errors():
            self._connection = self._open()

    @property
    def place(self) -> str:
        """The server and the schema."""
        return f"{self.server}, schema {self.schema}"

    @contextmanager
    def write(self) -> Iterator[Transaction]:
        """One transaction that holds the schema's write lock from its start: all of it is stored, or nothing."""
        with self._lock, self._errors():
            connection = self._begun()
            try:
                yield _Statements(connection)
                connection.execute("COMMIT")
            except BaseException:
                with suppress(psycopg.OperationalError):
                    connection.execute("ROLLBACK")
                raise

    def read(self, sql: str, *parameters: Any) -> list[Any]:
        """All rows of a query."""
        with self._lock, self._errors():
            return self._asked(_in_psycopgs_words(sql), parameters)

    def shrink(self) -> None:
        """Nothing: the server's autovacuum does it."""

    def close(self) -> None:
        """Close the connection; further use raises `StoreError`."""
        with self._lock:
            self._closed = True
            self._let_go()

    # ------------------------------------------------------------ locks that other programs see

    def try_lock(self, name: str) -> bool:
        """Take the lock of that name, which the server frees when this program dies; False when another has it. After
        the connection was lost it is taken again with the next one."""
        with self._lock, self._errors():
            ((got,),) = self._asked("SELECT pg_try_advisory_lock(%s)", (self._key(name),))
            if got:
                self._locked.add(name)
            return bool(got)

    def unlock(self, name: str) -> None:
        """Free it. A forked child has nothing to free."""
        with self._lock:
            if name in self._locked:
                self._locked.discard(name)
                self._lost.discard(name)
                # Without a connection the server has freed it already.
                with suppress(psycopg.OperationalError):
                    if self._connection is not None:
                        self._connection.execute("SELECT pg_advisory_unlock(%s)", (self._key(name),))

    def holder(self, name: str) -> str | None:
        """Who has the lock, None when nobody does."""
        key = self._key(name) % 2**64
        with self._lock, self._errors():
            rows = self._asked(
                "SELECT a.application_name FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid "
                "WHERE l.locktype = 'advisory' AND l.granted AND l.classid = %s::bigint::oid "
                "AND l.objid = %s::bigint::oid AND l.objsubid = 1 "
                "AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())",
                (key >> 32, key % 2**32),
            )
        return naming.program(rows[0][0] or "") if rows else None

    def _key(self, name: str) -> int:
        return naming.lock_key(self.schema, name)

    # ------------------------------------------------------------ the connection

    def _asked(self, sql: str, parameters: Sequence[Any]) -> list[Any]:
        """The rows. A question harms nobody when it is put again, so it is, after the server was away."""
        connection = self._live()
        try:
            return connection.execute(sql, parameters).fetchall()
        except psycopg.OperationalError as error:
            if not _is_lost(error):
                raise
        self._let_go()
        return self._live().execute(sql, parameters).fetchall()

    def _begun(self) -> psycopg.Connection[Any]:
        """The connection in a transaction that is the schema's one writer."""
        begin = f"BEGIN; SELECT pg_advisory_xact_lock({self._key(naming.WRITER)})"
        connection = self._live()
        try:
            connection.execute(begin)
            return connection
        except psycopg.OperationalError as error:
            if not _is_lost(error):
                connection.execute("ROLLBACK")
                raise
        # The server was away meanwhile, and nothing was begun.
        self._let_go()
        connection = self._live()
        connection.execute(begin)
        return connection

    def _live(self) -> psycopg.Connection[Any]:
        if self._closed:
            raise StoreError(f"the {self._what} in {self.server} was closed")
        if self._connection is None or self._connection.closed:
            self._let_go()
            connection = self._open()
            try:
                self._lock_again(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        if self._lost:
            # For good: the other one may have ended by now, and what it logged is unknown to this program.
            raise StoreBusy(
                f"{self.server} was away, and meanwhile another program took what this one worked on "
                f"({', '.join(sorted(self._lost))}). Wait until that has ended, then try again."
            )
        return self._connection

    def _lock_again(self, connection: psycopg.Connection[Any]) -> None:
        for name in sorted(self._locked - self._lost):
            row = connection.execute("SELECT pg_try_advisory_lock(%s)", (self._key(name),)).fetchone()
            if row is None or not row[0]:
                self._lost.add(name)

    def _let_go(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _leave_to_parent(self) -> None:
        connection, self._connection = self._connection, None
        self._locked, self._lost = set(), set()
        if connection is not None:
            _left_to_parent.append(connection)
            if not connection.closed:
                # The child's copy of the socket would keep the connection, and with it the locks, when the parent is
                # killed. Its number stays taken, so that libpq never meets another file under it.
                nowhere = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
                os.dup2(nowhere, connection.fileno(), inheritable=False)
                os.close(nowhere)

    def _open(self) -> psycopg.Connection[Any]:
        connection = connect(self._url, self.server, busy_s=self._busy_s)
        try:
            (role,) = connection.execute("SELECT current_user").fetchone() or ("",)
            self.schema = self._schema_of(str(role))
            connection.execute(f'SET search_path TO "{self.schema}"')
            # Two programs that start at once must not both create the tables.
            connection.execute(f"BEGIN; SELECT pg_advisory_xact_lock({self._key(naming.WRITER)})")
            self._make_schema(connection)
            self._migrate(connection)
            connection.execute("COMMIT")
        except BaseException:
            connection.close()
            raise
        return connection

    def _make_schema(self, connection: psycopg.Connection[Any]) -> None:
        found = connection.execute(
            "SELECT pg_get_userbyid(nspowner), pg_get_userbyid(nspowner) = current_user FROM pg_namespace "
            "WHERE nspname = %s",
            (self.schema,),
        ).fetchone()
        if found is None:
            connection.execute(f'CREATE SCHEMA "{self.schema}"')
        elif not found[1]:
            # Whoever owns it could have put anything there, to be run in this person's name.
            raise StoreError(
                f"the {self._what} in {self.place} belongs to {found[0]}, not to the user of the URL, and is not used. "
                "Ask who looks after the database to rename that schema."
            )

    def _migrate(self, connection: psycopg.Connection[Any]) -> None:
        version = 0
        if connection.execute("SELECT to_regclass('treadle_schema')").fetchone() != (None,):
            (version,) = connection.execute("SELECT version FROM treadle_schema").fetchone() or (0,)
        if version > len(self._migrations):
            raise StoreError(
                f"the {self._what} in {self.place} was written by a newer Treadle (schema {version}; this one knows up "
                f"to {len(self._migrations)}) and was left as it is. Update Treadle, or name another database."
            )
        if version == len(self._migrations):
            return
        for number in range(version, len(self._migrations)):
            for statement in self._migrations[number]:
                connection.execute(statement)
        connection.execute("CREATE TABLE IF NOT EXISTS treadle_schema (version INTEGER NOT NULL)")
        connection.execute("DELETE FROM treadle_schema")
        connection.execute("INSERT INTO treadle_schema VALUES (%s)", (len(self._migrations),))

    # ------------------------------------------------------------ what went wrong

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            raise self._said(error) from error

    def _said(self, error: psycopg.Error) -> StoreError:
        name, said = f"the {self._what} in {self.server}", " ".join(str(error).split())
        if isinstance(error, psycopg.errors.LockNotAvailable):
            return StoreBusy(f"{name} was kept busy by another program for {in_seconds(self._busy_s)}. Try again.")
        if isinstance(error, psycopg.errors.InsufficientPrivilege):
            return StoreError(
                f"{name} can't be used: {said}. Treadle needs a schema of its own there; whoever looks after the "
                "database allows it with GRANT CREATE ON DATABASE name TO user."
            )
        if isinstance(error, psycopg.errors.UndefinedTable | psycopg.errors.UndefinedColumn):
            return StoreError(
                f"{name} is damaged ({said}). Restore the schema {self.schema} from a backup, or rename it: a new one "
                "is then started."
            )
        if _is_lost(error):
            return StoreUnreachable(
                f"the connection to {name} was lost: {said}. Nothing that was logged before is lost; when the server "
                "is back, `treadle resume` goes on."
            )
        return StoreError(f"{name} can't be used: {said}")


class _Statements:
    """A transaction of psycopg's that takes `?` for each value."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection

    def execute(self, sql: str, parameters: Sequence[Any] = (), /) -> psycopg.Cursor[Any]:
        """Execute one statement."""
        return self._connection.execute(_in_psycopgs_words(sql), parameters)


_left_to_parent: list[psycopg.Connection[Any]] = []


def _is_lost(error: psycopg.Error) -> bool:
    """Whether the connection is gone: libpq says so without a code, the server with one of these."""
    return isinstance(error, psycopg.OperationalError) and (error.sqlstate or "08").startswith(("08", "57P"))


def _in_psycopgs_words(sql: str) -> str:
    return sql.replace("%", "%%").replace("?", "%s")
