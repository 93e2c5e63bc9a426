"""The event log: sessions and what happened in them. It is the only truth; all else reads it.

Every append is one transaction. A session's events are numbered from 1 without gaps, also when several processes append
at once; only a fork lacks those that were not copied (`core.store.session_copy`). It is a SQLite file, or tables in
PostgreSQL (`core.store.opening`); what survives a kill and a power cut is said where each is opened.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import time
import zlib
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import msgspec

from treadle.core.errors import StoreError, UnknownSession
from treadle.core.events import Event
from treadle.core.forks import told_of_fork
from treadle.core.records import SessionState, Task
from treadle.core.states import ENDED
from treadle.core.store.back_end import BackEnd, SessionLocks, TextSearch, Transaction
from treadle.core.store.database import BUSY_S, Database
from treadle.core.store.event_text import event_text, task_text, title
from treadle.core.store.schema import APPLICATION_ID, MIGRATIONS
from treadle.core.store.session_copy import copy_events
from treadle.core.store.session_finder import STATES, SearchHit, SessionFinder, SessionRow
from treadle.core.store.session_lock import FileLocks
from treadle.core.store.sqlite_search import SqliteSearch
from treadle.core.store.storable_text import storable
from treadle.core.wire import pack, unpack

_PAGE = 256  # events that a reader takes at a time, so that no reader holds up a writer for long
_ZIP_FROM = 512  # bytes; less is not worth the time
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # without what is easily taken for another


class Store:
    """The event log of one project. May be used from several threads; a forked child gets a connection of its own.

    Any method raises `StoreBusy` when another process keeps it busy for too long, `StoreError` when it can't be read or
    written.
    """

    def __init__(
        self,
        back_end: BackEnd,
        text_search: TextSearch,
        files: FileLocks,
        clock: Callable[[], float] = time.time,
        *,
        locks: SessionLocks | None = None,
    ) -> None:
        """`files` are the locks that keep the programs of this machine apart, `locks` those that keep all programs
        apart, where that is more."""
        self._back_end = back_end
        self._text_search = text_search
        self._files = files
        self._locks = locks or files
        self._clock = clock
        self._finder = SessionFinder(back_end, text_search)

    @classmethod
    def open(
        cls, path: str | os.PathLike[str], *, clock: Callable[[], float] = time.time, busy_s: float = BUSY_S
    ) -> Store:
        """Open the SQLite file, or start one. A damaged file is set aside and `notices` says so."""
        path = Path(path)
        database = Database(
            path, MIGRATIONS, application_id=APPLICATION_ID, what="event log", clock=clock, busy_s=busy_s
        )
        return cls(database, SqliteSearch(database), FileLocks(path.parent / "sessions"), clock)

    @property
    def place(self) -> str:
        """Where it is, for people."""
        return self._back_end.place

    @property
    def notices(self) -> tuple[str, ...]:
        """Sentences for the person about what had to be done to open it."""
        return self._back_end.notices

    def close(self) -> None:
        """Close it; further use raises `StoreError`."""
        self._back_end.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # ------------------------------------------------------------ writing

    def create_session(self, task: Task, *, parent: str | None = None) -> SessionRow:
        """A new session in state INIT. Ids sort by time (UTC) and are short enough to type: 20261128-004512-x7k2."""
        with self._back_end.write() as transaction:
            session = self._add_session(transaction, task, parent, "INIT", None)
            self._add_text(transaction, _number(transaction, session), task_text(task))
        return self._finder.session(session)

    def copy_session(self, name: str, task: Task) -> SessionRow:
        """A session with the events, the words and the outputs of that one so far (`session_copy`), and its task under
        another id. It begins now, is in the same state, and its `session.created` says what it is a fork of.

        Raises `UsageError` for a session that has not begun. Whoever has it copied holds its lock.
        """
        row = self._finder.session(name)
        plain = msgspec.to_builtins(task, builtin_types=(bytes,))

        def created(data: dict[str, Any], last: int) -> tuple[bool, bytes]:
            return _zipped(_packed("session.created", told_of_fork({**data, "task": plain}, row.id, last)))

        with self._back_end.write() as transaction:
            copy = self._add_session(transaction, task, row.id, row.state, row.ended)
            source, target = _number(transaction, row.id), _number(transaction, copy)
            copy_events(transaction, self._text_search, source, target, created)
        return self._finder.session(copy)

    def _add_session(
        self, transaction: Transaction, task: Task, parent: str | None, state: SessionState, ended: float | None
    ) -> str:
        """The id of a new row in the list of sessions."""
        now = self._clock()
        about = (parent, pack(task), storable(title(task)), state, now, ended)
        while True:
            session = time.strftime("%Y%m%d-%H%M%S-", time.gmtime(now)) + "".join(map(secrets.choice, [_ALPHABET] * 4))
            added = transaction.execute(
                "INSERT INTO sessions (id, parent, task, title, state, started, ended) VALUES (?, ?, ?, ?, ?, ?, ?) "
                "ON CONFLICT (id) DO NOTHING",
                (session, *about),
            ).rowcount
            # Otherwise two sessions of one second drew the same four characters.
            if added:
                return session

    def append(
        self,
        session: str,
        kind: str,
        data: dict[str, Any],
        *,
        attempt: int = 0,
        parent: int = 0,
        state: SessionState | None = None,
    ) -> Event:
        """Log one event, in one transaction, and give it back as every reader will see it.

        `state` becomes the session's own with it; the kind `session.state` brings it in `data["state"]`. Raises
        `UnknownSession`, and `StoreError` for data that is no plain value; nothing is logged then.
        """
        packed = _packed(kind, data)
        if kind == "session.state" and state is None:
            state = data.get("state")
        if state is not None and state not in STATES:
            raise StoreError(f"the event {kind} names {state!r}, which is no state of a session; nothing was logged")
        zipped, stored = _zipped(packed)
        text = event_text(kind, data)
        now = self._clock()
        with self._back_end.write() as transaction:
            number = _number(transaction, session)
            (seq,) = transaction.execute(
                "SELECT coalesce(max(seq), 0) + 1 FROM events WHERE session = ?", (number,)
            ).fetchone()
            transaction.execute(
                "INSERT INTO events (session, seq, time, kind, attempt, parent, zipped, data) VALUES (?,?,?,?,?,?,?,?)",
                (number, seq, now, kind, attempt, parent, zipped, stored),
            )
            if text:
                self._add_text(transaction, number, text)
            if state is not None:
                transaction.execute(
                    "UPDATE sessions SET state = ?, ended = ? WHERE number = ?",
                    (state, now if state in ENDED else None, number),
                )
        return Event(
            session=session,
            seq=seq,
            time=now,
            kind=kind,
            attempt=attempt,
            parent=parent,
            data=unpack(packed, dict[str, Any]),
        )

    def star(self, name: str, on: bool = True) -> SessionRow:
        """Mark a session so that retention keeps it, or take the mark off."""
        row = self._finder.session(name)
        with self._back_end.write() as transaction:
            transaction.execute("UPDATE sessions SET starred = ? WHERE id = ?", (on, row.id))
        return self._finder.session(row.id)

    def delete(self, name: str) -> SessionRow:
        """Hide a session; it can be taken back until retention purges it. Raises `StoreBusy` while it is at work."""
        row = self._finder.session(name)
        with self.lock(row.id), self._back_end.write() as transaction:
            transaction.execute("UPDATE sessions SET deleted = ? WHERE id = ?", (self._clock(), row.id))
        return row

    def undelete(self, name: str) -> SessionRow:
        """Take a deletion back."""
        row = self._finder.session(name, deleted=True)
        with self._back_end.write() as transaction:
            transaction.execute("UPDATE sessions SET deleted = NULL WHERE id = ?", (row.id,))
        return row

    def _add_text(self, transaction: Transaction, session: int, text: str) -> None:
        self._text_search.add(transaction, session, storable(text))

    # ------------------------------------------------------------ reading

    def events(self, session: str, after: int = 0) -> Iterator[Event]:
        """The events of a session in order, those after that seq; what is logged meanwhile is seen too."""
        session = self._finder.session(session).id
        while True:
            rows = self._back_end.read(
                "SELECT s.id, e.seq, e.time, e.kind, e.attempt, e.parent, e.zipped, e.data FROM events e "
                "JOIN sessions s ON s.number = e.session WHERE s.id = ? AND e.seq > ? ORDER BY e.seq LIMIT ?",
                session,
                after,
                _PAGE,
            )
            yield from map(_event, rows)
            if len(rows) < _PAGE:
                return
            after = rows[-1][1]

    def events_of(self, kinds: Collection[str], *, like: str = "") -> Iterator[Event]:
        """The events of these kinds, and of those like the pattern, in which `*` is any text, in all sessions that are
        not deleted, session by session, in order."""
        last = (0, 0)
        places = ",".join("?" * len(kinds)) or "NULL"
        wanted = re.compile("|".join([*map(re.escape, kinds), ".*".join(map(re.escape, like.split("*")))]))
        pattern = re.sub(r"[%_!]", r"!\g<0>", like).replace("*", "%")
        while True:
            rows = self._back_end.read(
                "SELECT s.id, e.seq, e.time, e.kind, e.attempt, e.parent, e.zipped, e.data, s.number FROM events e "
                "JOIN sessions s ON s.number = e.session WHERE s.deleted IS NULL AND (e.session, e.seq) > (?, ?) "
                f"AND (e.kind IN ({places}) OR e.kind LIKE ? ESCAPE '!') ORDER BY e.session, e.seq LIMIT ?",
                *last,
                *kinds,
                pattern,
                _PAGE,
            )
            # SQLite's LIKE takes small and capital letters for the same.
            yield from (_event(row) for row in rows if wanted.fullmatch(row[3]))
            if len(rows) < _PAGE:
                return
            last = (rows[-1][8], rows[-1][1])

    def last_seq(self, session: str) -> int:
        """The seq of a session's last event, 0 when it has none."""
        (seq,) = self._back_end.read(
            "SELECT coalesce(max(seq), 0) FROM events WHERE session = (SELECT number FROM sessions WHERE id = ?)",
            session,
        )[0]
        return int(seq)

    def sessions(
        self, limit: int | None = None, search: str | None = None, state: SessionState | None = None
    ) -> tuple[SessionRow, ...]:
        """The newest first. `search`: only those that hold all these words."""
        return self._finder.sessions(limit, search, state)

    def session(self, name: str) -> SessionRow:
        """The session that a person means by an id, the beginning of one, its last four characters, or "last", as
        `SessionFinder` says.

        Raises `UnknownSession` with the nearest ids, `UsageError` when the name fits several.
        """
        return self._finder.session(name)

    def search(self, words: str, limit: int = 20) -> tuple[SearchHit, ...]:
        """The sessions that hold all these words (or words that begin so), the best first."""
        return self._finder.search(words, limit)

    # ------------------------------------------------------------ outputs

    def put_output(self, session: str, text: str) -> str:
        """Keep a long text (what a job printed) outside of the events, and answer with its reference. It expires by
        itself, before the session does; the same text is kept once."""
        raw = text.encode("utf-8", "surrogatepass")
        ref = hashlib.sha256(raw).hexdigest()[:32]
        zipped, stored = _zipped(raw)
        with self._back_end.write() as transaction:
            number = _number(transaction, session)
            transaction.execute(
                "INSERT INTO outputs (ref, time, zipped, data) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (ref) DO UPDATE SET time = excluded.time",
                (ref, self._clock(), zipped, stored),
            )
            transaction.execute(
                "INSERT INTO output_uses (session, ref) VALUES (?, ?) ON CONFLICT DO NOTHING", (number, ref)
            )
        return ref

    def get_output(self, ref: str) -> str | None:
        """The text, None when it has expired."""
        rows = self._back_end.read("SELECT zipped, data FROM outputs WHERE ref = ?", ref)
        if not rows:
            return None
        zipped, stored = rows[0]
        return (zlib.decompress(stored) if zipped else stored).decode("utf-8", "surrogatepass")

    # ------------------------------------------------------------ locks

    def lock(self, session: str) -> AbstractContextManager[None]:
        """Hold the session, so that no other program works on it. Raises `StoreBusy`, naming the process that does. The
        kernel frees the lock when its holder dies."""
        return self._locks.hold(session)

    def is_locked(self, session: str) -> bool:
        """Whether some program is at work on the session."""
        return self._locks.is_held(session)

    def interrupted(self, row: SessionRow) -> bool:
        """Whether a session was cut off: its state says that somebody is at work, and nobody is."""
        return row.active and not self.is_locked(row.id)

    def lock_file(self, session: str) -> Path:
        """The file that a session's lock is held on, on this machine."""
        return self._files.file(session)

    # ------------------------------------------------------------ retention

    def session_ids(self) -> frozenset[str]:
        """All sessions, deleted ones too."""
        return frozenset(row[0] for row in self._back_end.read("SELECT id FROM sessions"))

    def stale(self, unused_since: float, deleted_before: float) -> tuple[str, ...]:
        """The ids of sessions that are not starred, began before the first moment and have had no event since, and of
        those deleted before the second one."""
        rows = self._back_end.read(
            # A fork begins after its last event, as long as nobody has gone on with it.
            "SELECT id FROM sessions s WHERE deleted < ? OR deleted IS NULL AND NOT starred AND started < ? AND "
            "coalesce((SELECT time FROM events WHERE session = s.number ORDER BY seq DESC LIMIT 1), started) < ?",
            deleted_before,
            unused_since,
            unused_since,
        )
        return tuple(row[0] for row in rows)

    def purge(self, session: str) -> None:
        """Forget a session for good: its events, its words, and the outputs that no other session uses."""
        with self._back_end.write() as transaction:
            transaction.execute("DELETE FROM sessions WHERE id = ?", (session,))
            transaction.execute("DELETE FROM outputs WHERE ref NOT IN (SELECT ref FROM output_uses)")

    def expire_outputs(self, before: float) -> int:
        """Forget the outputs that were last put before that moment; the answer is how many."""
        with self._back_end.write() as transaction:
            return transaction.execute("DELETE FROM outputs WHERE time < ?", (before,)).rowcount

    def shrink(self) -> None:
        """Give back the room of what was deleted."""
        self._back_end.shrink()

    def mark(self, name: str) -> float | None:
        """The moment remembered under that name."""
        rows = self._back_end.read("SELECT value FROM marks WHERE name = ?", name)
        return rows[0][0] if rows else None

    def set_mark(self, name: str, moment: float) -> None:
        """Remember a moment under a name."""
        with self._back_end.write() as transaction:
            transaction.execute(
                "INSERT INTO marks (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                (name, moment),
            )


def _number(transaction: Transaction, session: str) -> int:
    row = transaction.execute("SELECT number FROM sessions WHERE id = ?", (session,)).fetchone()
    if row is None:
        raise UnknownSession(f"no session {session!r} in this event log. `treadle sessions` lists them.")
    return int(row[0])


def _packed(kind: str, data: dict[str, Any]) -> bytes:
    try:
        kind.encode()
        return pack(data)
    except (TypeError, OverflowError, UnicodeEncodeError, RecursionError) as error:
        raise StoreError(
            f"the event {kind!r} can't be logged: {error}. Events hold plain values: None, bool, integers of 64 bits, "
            "float, str, bytes, and lists and dicts (with string keys) of them."
        ) from error


def _zipped(raw: bytes) -> tuple[bool, bytes]:
    if len(raw) < _ZIP_FROM:
        return False, raw
    small = zlib.compress(raw, 3)
    return (True, small) if len(small) < len(raw) * 0.9 else (False, raw)


def _event(row: tuple[Any, ...]) -> Event:
    session, seq, moment, kind, attempt, parent, zipped, stored = row[:8]
    try:
        data: dict[str, Any] = unpack(zlib.decompress(stored) if zipped else stored, dict[str, Any])
    except (zlib.error, msgspec.DecodeError) as error:
        raise StoreError(f"event {seq} of session {session} can't be read: {error}") from error
    return Event(session=session, seq=seq, time=moment, kind=kind, attempt=attempt, parent=parent, data=data)
