"""A SQLite file opened with care: WAL, checked, migrated, usable from several threads and processes, safe over a fork.

A damaged file is set aside under another name and a new one is started; nothing is ever deleted. A file that a newer
Treadle wrote is refused and left as it is.

With `synchronous=NORMAL` a transaction is in the system's page cache when it returns: killing the process, also with
`kill -9`, loses nothing. A power cut or a crash of the system may lose the last transactions before it (those since
the last checkpoint), never the soundness of the file. https://www.sqlite.org/wal.html#performance_considerations
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from treadle.core.durations import in_seconds
from treadle.core.errors import StoreBusy, StoreError
from treadle.core.paths import encode
from treadle.core.places import private_folder
from treadle.core.store.fork_safety import ForkSafe
from treadle.core.store.session_lock import file_lock

Migration = Callable[[sqlite3.Connection], None]
"""One step: brings a file from the schema version of its place in the list to the next one."""

BUSY_S = 10.0

# Every page of a small file is checked at each start (about 4 ms a MB); a large one only when it was suspect.
_ALWAYS_CHECKED = 2 << 20

_MAGIC = b"SQLite format 3\0"
_LEAST_FREE = 256 << 10  # bytes; SQLite makes files beside its own, and takes no less for them than a few pages
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class _Damaged(Exception):
    """The file can't be what it should be; the text says why."""


class Database(ForkSafe):
    """One SQLite file. `notices` are sentences for the person about what had to be done to open it."""

    def __init__(
        self,
        path: Path,
        migrations: Sequence[Migration],
        *,
        application_id: int,
        what: str,
        clock: Callable[[], float] = time.time,
        busy_s: float = BUSY_S,
    ) -> None:
        """Open or create the file. `application_id` marks it as ours, `what` names it in messages, `busy_s` is how
        long to wait for another process. Raises `StoreBusy` after that, `StoreError` when the file can't be opened or
        is newer than this program."""
        self.path = path
        self._name = f"the {what} {encode(path)}"
        self.notices: tuple[str, ...] = ()
        self._migrations = migrations
        self._application_id = application_id
        self._busy_s = busy_s
        self._connection: sqlite3.Connection | None = None
        self._closed = False
        self._clock = clock
        private_folder(path.parent)
        super().__init__()  # last: from here on a fork takes care of it
        with self._lock, self._errors():
            self._connection = self._open()

    @property
    def place(self) -> str:
        """The file."""
        return str(self.path)

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One transaction that holds the write lock from its start: all of it is stored, or nothing."""
        with self._lock, self._errors():
            connection = self._live()
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                # SQLite itself has already rolled back after some errors (a full disk).
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def read(self, sql: str, *parameters: Any) -> list[Any]:
        """All rows of a query."""
        with self._lock, self._errors():
            return self._live().execute(sql, parameters).fetchall()

    def shrink(self) -> None:
        """Give free pages back to the file system, at most 40 MB at a time."""
        with self._lock, self._errors():
            # `execute` would stop after the first page: the pragma gives a row without columns for each.
            self._live().executescript("PRAGMA incremental_vacuum(10000)")

    def close(self) -> None:
        """Close the file; further use raises `StoreError`."""
        with self._lock:
            self._closed = True
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()

    def _live(self) -> sqlite3.Connection:
        if self._closed:
            raise StoreError(f"{self._name} was closed")
        if self._connection is None:
            self._connection = self._open()
        return self._connection

    def _leave_to_parent(self) -> None:
        # SQLite forbids to use or even to close a connection that came over a fork; see "How To Corrupt", 2.7.
        if self._connection is not None:
            _left_to_parent.append(self._connection)
        self._connection = None

    def _open(self) -> sqlite3.Connection:
        # Under a lock: of two programs that find the damage, the second can't set the first one's new file aside.
        with file_lock(_beside(self.path, ".opening"), self._name, self._busy_s):
            try:
                return self._open_checked()
            except _Damaged as damage:
                aside = _set_aside(self.path, self._clock())
                _beside(self.path, ".suspect").unlink(missing_ok=True)
                what = self._name[:1].upper() + self._name[1:]
                self.notices += (
                    f"{what} is damaged ({damage}). It was set aside as {aside.name}; a new one was started.",
                )
                return self._open_checked()

    def _open_checked(self) -> sqlite3.Connection:
        wal = _beside(self.path, "-wal")
        _create_private(self.path)
        # Both are looked at before SQLite is, which throws away a write-ahead log that does not fit the file.
        with self.path.open("rb") as file:
            magic = file.read(len(_MAGIC))
        if magic == b"" and wal.exists() and wal.stat().st_size > 0:
            raise _Damaged("it is empty, but its write-ahead log is not")
        if magic not in (b"", _MAGIC):
            raise _Damaged("it does not begin as a database does")
        connection = sqlite3.connect(self.path, timeout=self._busy_s, isolation_level=None, check_same_thread=False)
        try:
            self._check(connection)
            self._configure(connection)
            self._migrate(connection)
        except sqlite3.DatabaseError as error:
            connection.close()
            if _primary(error) in _DAMAGE:
                raise _Damaged(str(error)) from error
            raise
        except BaseException:
            connection.close()
            raise
        return connection

    def _check(self, connection: sqlite3.Connection) -> None:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (application_id,) = connection.execute("PRAGMA application_id").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if tables and application_id != self._application_id:
            raise _Damaged("it is another program's database")
        if version > len(self._migrations):
            raise StoreError(
                f"{self._name} was written by a newer Treadle (schema {version}; this one knows up to "
                f"{len(self._migrations)}) and was left as it is. Update Treadle, or name another folder with "
                "TREADLE_HOME."
            )
        suspect = _beside(self.path, ".suspect")
        if suspect.exists() or self.path.stat().st_size <= _ALWAYS_CHECKED:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if found != "ok":
                raise _Damaged(" ".join(found.split()))
            suspect.unlink(missing_ok=True)

    def _configure(self, connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        # Some network file systems have no shared memory and so no WAL; NORMAL would then be too little.
        connection.execute(f"PRAGMA synchronous = {'NORMAL' if mode == 'wal' else 'FULL'}")
        connection.execute("PRAGMA foreign_keys = ON")

    def _migrate(self, connection: sqlite3.Connection) -> None:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version == len(self._migrations):
            return
        try:
            connection.execute("BEGIN IMMEDIATE")
            for number in range(version, len(self._migrations)):
                self._migrations[number](connection)
            connection.execute(f"PRAGMA application_id = {self._application_id}")
            connection.execute(f"PRAGMA user_version = {len(self._migrations)}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise self._said(error) from error
        except OSError as error:
            raise StoreError(f"{self._name} can't be opened: {error.strerror or error}") from error

    def _said(self, error: sqlite3.DatabaseError) -> StoreError:
        code = _primary(error)
        if code in _BUSY:
            return StoreBusy(
                f"{self._name} was kept busy by another process for {in_seconds(self._busy_s)}. Try again."
            )
        if code in _DAMAGE:
            with suppress(OSError):
                _beside(self.path, ".suspect").touch(mode=0o600)
            return StoreError(
                f"{self._name} is damaged ({error}). Start Treadle again: it is then set aside, not deleted, and a new "
                "one is started."
            )
        return StoreError(f"{self._name} can't be used: {error}{self._why_full(code)}")

    def _why_full(self, code: int) -> str:
        """What to do where the disk is full: SQLite calls that an I/O error as well."""
        if code not in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
            return ""
        try:
            free = shutil.disk_usage(self.path.parent).free
        except OSError:
            return ""
        if code != sqlite3.SQLITE_FULL and free >= _LEAST_FREE:
            return ""
        where = encode(self.path.parent)
        return f". The disk of {where} is full ({free} bytes are free): make room there and try again"


_left_to_parent: list[sqlite3.Connection] = []


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _create_private(path: Path) -> None:
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))


def _primary(error: sqlite3.Error) -> int:
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return -1 if code is None else code & 0xFF


def _set_aside(path: Path, now: float) -> Path:
    stem = f"{path.name}.damaged-{time.strftime('%Y%m%d-%H%M%S', time.gmtime(now))}"
    aside, count = path.with_name(stem), 1
    while aside.exists():
        count += 1
        aside = path.with_name(f"{stem}-{count}")
    for suffix in ("-wal", "-shm", ""):
        with suppress(FileNotFoundError):
            _beside(path, suffix).rename(_beside(aside, suffix))
    return aside
