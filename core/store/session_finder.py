"""Finding sessions: lists, the one that a person means, and those that hold some words."""

from __future__ import annotations

import difflib
import itertools
import re
import zlib
from collections.abc import Sequence
from typing import Any, get_args

import msgspec

from treadle.core.errors import StoreError, UnknownSession, UsageError
from treadle.core.records import Record, SessionState, Task
from treadle.core.states import ENDED, RESTING
from treadle.core.store.back_end import BackEnd, TextSearch
from treadle.core.store.storable_text import storable
from treadle.core.wire import unpack

STATES: tuple[SessionState, ...] = get_args(SessionState)

_SELECT = (
    "SELECT s.id, s.parent, s.task, s.title, s.state, s.started, s.ended, s.starred, c.zipped, c.data FROM sessions s "
    "LEFT JOIN events c ON c.session = s.number AND c.seq = 1 AND c.kind = 'session.created' WHERE"
)
"""Sessions, with what was said as the first thing of each: that it was created."""
_MANY = 10  # ids named in a message
_NO_LIMIT = 2**62


class SessionRow(Record, frozen=True, kw_only=True):
    """One session as the lists show it. `ended` is None while it is at work or rests; `parent` is the id of the session
    that it is a fork of, `replays` of the one that it replays, "" for none; `title` is one line."""

    id: str
    task: Task
    state: SessionState
    started: float
    ended: float | None
    starred: bool
    title: str
    parent: str | None = None
    replays: str = ""

    @property
    def own(self) -> bool:
        """Whether the person wanted something new of it. A replay only looks at what there was; who goes on in a copy
        of one wants to."""
        return not self.replays or self.parent is not None

    @property
    def active(self) -> bool:
        """Whether a program should be at work on it; when none is (`Store.interrupted`), it was cut off."""
        return self.state not in ENDED and self.state not in RESTING


class SearchHit(Record, frozen=True, kw_only=True):
    """A session that holds the words looked for, and the place that holds them best, the words in square brackets."""

    session: SessionRow
    excerpt: str


class SessionFinder:
    """Reads the sessions of one event log. Deleted ones are not found, unless asked for."""

    def __init__(self, back_end: BackEnd, text_search: TextSearch) -> None:
        self._back_end = back_end
        self._text_search = text_search

    def sessions(
        self, limit: int | None = None, search: str | None = None, state: SessionState | None = None
    ) -> tuple[SessionRow, ...]:
        """The newest first. `search`: only those that hold all these words."""
        where, values = ["s.deleted IS NULL"], []
        for word in _words(search or ""):
            condition, value = self._text_search.holds(word)
            where.append(condition)
            values.append(value)
        if state is not None:
            where.append("s.state = ?")
            values.append(state)
        rows = self._back_end.read(
            f"{_SELECT} {' AND '.join(where)} ORDER BY s.number DESC LIMIT ?",
            *values,
            _NO_LIMIT if limit is None else limit,
        )
        return tuple(map(_row, rows))

    def search(self, words: str, limit: int = 20) -> tuple[SearchHit, ...]:
        """The sessions that hold all these words (or words that begin so), the best first."""
        if not _words(words):
            return ()
        found = {row.id: row for row in self.sessions(search=words)}
        best: dict[str, str] = {}
        for session_id, excerpt in self._text_search.excerpts(_words(words)):
            best.setdefault(session_id, excerpt)
        hits = (SearchHit(session=found[i], excerpt=e) for i, e in best.items() if i in found)
        return tuple(hit for hit, _ in zip(hits, range(limit), strict=False))

    def session(self, name: str, *, deleted: bool = False) -> SessionRow:
        """The session that a person means by an id, the beginning of one, its last four characters, or "last": their
        own last one, replays left aside where there is any other.

        Raises `UnknownSession` with the nearest ids, `UsageError` when the name fits several. `deleted`: look among
        the deleted ones instead.
        """
        among = "s.deleted IS NOT NULL" if deleted else "s.deleted IS NULL"
        select = f"{_SELECT} {among}"
        name = storable(name)
        if name == "last":
            return self._last(select)
        rows = self._back_end.read(f"{select} AND s.id = ?", name)
        if not rows and name:
            rows = self._back_end.read(
                f"{select} AND (substr(s.id, 1, ?) = ? OR substr(s.id, length(s.id) - 4) = ?) ORDER BY s.id",
                len(name),
                name,
                f"-{name}",
            )
        if len(rows) > 1:
            raise UsageError(
                f"{name!r} fits {len(rows)} sessions: {_listed([r[0] for r in rows])}. Write more of the id."
            )
        if not rows:
            raise self._unknown(name, among)
        return _row(rows[0])

    def _last(self, select: str) -> SessionRow:
        latest: SessionRow | None = None
        # One by one: it is nearly always the first.
        for place in itertools.count():
            rows = self._back_end.read(f"{select} ORDER BY s.number DESC LIMIT 1 OFFSET ?", place)
            if not rows:
                break
            row = _row(rows[0])
            if row.own:
                return row
            latest = latest or row
        if latest is None:
            raise UnknownSession('this project has no sessions yet; `treadle run "TASK"` or `treadle fix` starts one')
        return latest

    def _unknown(self, name: str, among: str) -> UnknownSession:
        rows = self._back_end.read(f"SELECT s.id FROM sessions s WHERE {among} ORDER BY s.number DESC LIMIT 500")
        ids = [row[0] for row in rows]
        near = difflib.get_close_matches(name, ids, n=3, cutoff=0.6) or ids[:3]
        advice = f"the nearest: {_listed(near)}" if near else "this project has none yet"
        return UnknownSession(f"no session {name!r} ({advice}). `treadle sessions` lists them.")


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"\w+", text) if word.strip("_")]


def _listed(ids: Sequence[str]) -> str:
    return ", ".join(ids[:_MANY]) + (", ..." if len(ids) > _MANY else "")


def _row(row: Sequence[Any]) -> SessionRow:
    session_id, parent, task, title, state, started, ended, starred, zipped, created = row
    try:
        decoded: Task = unpack(task, Task)
    except msgspec.DecodeError as error:
        raise StoreError(
            f"the task of session {session_id} can't be read: {error}. If a newer Treadle wrote it, update this one."
        ) from error
    return SessionRow(
        id=session_id,
        task=decoded,
        state=state,
        started=started,
        ended=ended,
        starred=bool(starred),
        title=title,
        parent=parent,
        replays=_replayed(zipped, created) if created is not None else "",
    )


class _Created(msgspec.Struct):
    replays: str = ""


def _replayed(zipped: bool, created: bytes) -> str:
    """The session that one replays whose `session.created` says this; where that is damaged, who reads it is told."""
    try:
        said: _Created = unpack(zlib.decompress(created) if zipped else created, _Created)
    except (zlib.error, msgspec.DecodeError):
        return ""
    return said.replays
