"""What this person's sessions have used up, of all projects: a small ledger of its own, held against the budgets.

Something is reserved before it is used and settled after, so that a budget holds to the last call. A row is known by
its session and key: what is reserved again under the same key is counted once, and on the day on which it was first.
What a crash cut off stays reserved under its key.
"""

from __future__ import annotations

import math
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Literal

from treadle.core.errors import BudgetExceeded
from treadle.core.records import Record
from treadle.core.store.database import Database

Scope = Literal["session", "day", "month"]
Amounts = Mapping[str, float]
"""How much of what: `usd`, `tokens`, `calls`, `model_s`, `sessions`, `executions`."""

WARN_AT = 0.8
"""The part of a budget from which on the person is warned."""

_BEGUN_ANEW = "What was used up before counts no more: the budgets of this day and this month begin at 0."
_APPLICATION_ID = 0x54524453  # "TRDS", what file(1) shows
IN_WORDS: Mapping[str, str] = {
    "usd": "US dollars",
    "tokens": "tokens",
    "calls": "requests to models",
    "model_s": "seconds of models' time",
    "sessions": "sessions with a model",
    "executions": "runs of code that a model wrote",
}
"""What is counted here, and how it is called."""
_WHAT_COUNTS: Mapping[str, str] = {
    "executions": "each time counts that a model has tests or a script run, and that its change is checked",
}
"""What nobody would count by these words alone."""
_OF_A_SESSION: Mapping[str, str] = {"wall_s": "seconds of work", "jobs": "sandboxed jobs"}
"""What `core.budget` counts besides, of one session alone."""
_CALLED: Mapping[str, str] = {**IN_WORDS, **_OF_A_SESSION}


class Level(Record, frozen=True, kw_only=True):
    """How far one budget is used up."""

    scope: Scope
    what: str
    used: float
    limit: float

    def __str__(self) -> str:
        place = {"session": "this session", "day": "today", "month": "this month"}[self.scope]
        return f"{_number(self.used)} of {_number(self.limit)} {_CALLED[self.what]} are used up {place}"

    @property
    def warning(self) -> str:
        """The same before the next step, of which nobody knows what it will take, and how to have more; time is not set
        aside."""
        said = str(self)
        if self.what != "wall_s":
            said = said.replace(" are used up ", " are used up, or set aside for the next step, ")
        return "; ".join(filter(None, (said, _WHAT_COUNTS.get(self.what), self._more)))

    @property
    def enough(self) -> str:
        """A limit with which as much can be used as here, and twice as much as before, as it is typed."""
        parts = 100 if self.what == "usd" else 1
        least = math.ceil(round(max(self.used, 2 * self.limit) * parts, 6)) / parts
        return f"{least:.2f}".rstrip("0").rstrip(".")

    def passed(self, text: str) -> BudgetExceeded:
        """What is raised instead of using so much; `text` says how it came."""
        return BudgetExceeded(f"{text}; {self._more}", self.what, self.key, self.enough)

    @property
    def _more(self) -> str:
        return f"`--set {self.key}={self.enough}` allows more"

    @property
    def is_near(self) -> bool:
        """Whether so much is used up that the person is warned."""
        return bool(self.limit) and self.used >= WARN_AT * self.limit

    @property
    def key(self) -> str:
        """The setting that limits it."""
        return f"budget.{self.what}" if self.scope == "session" else f"budget.{self.scope}.{self.what}"


def _ledger(connection: sqlite3.Connection) -> None:
    connection.execute(
        """CREATE TABLE spent (
            session TEXT NOT NULL,
            key TEXT NOT NULL,
            what TEXT NOT NULL,
            time REAL NOT NULL,
            amount REAL NOT NULL,
            PRIMARY KEY (session, key, what)
        ) WITHOUT ROWID"""
    )
    connection.execute("CREATE INDEX spent_by_time ON spent (time)")


def _warnings(connection: sqlite3.Connection) -> None:
    connection.execute(
        """CREATE TABLE warned (
            key TEXT NOT NULL,
            allowed REAL NOT NULL,
            day REAL NOT NULL,
            PRIMARY KEY (key, allowed, day)
        ) WITHOUT ROWID"""
    )


class Spending:
    """One person's ledger, in the name of one session. May be used from several threads and processes."""

    def __init__(
        self,
        file: Path,
        session: str,
        limits: Mapping[Scope, Amounts],
        tell: Callable[[str], object],
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`limits` by scope; what is not named there is not limited. `tell` is told what the person must know: that a
        damaged ledger was set aside, and that all budgets begin anew."""
        self._file = file
        self._tell = tell
        self._told = 0
        self._session = session
        self._limits = limits
        self._clock = clock
        self._lock = threading.Lock()

    @cached_property
    def _ledger(self) -> Database:
        return Database(
            self._file, (_ledger, _warnings), application_id=_APPLICATION_ID, what="ledger of what was spent"
        )

    def reserve(self, key: str, amounts: Amounts) -> tuple[Level, ...]:
        """Set this much aside before it is used. Answers with the budgets that are used up to `WARN_AT` and more then.
        Raises `BudgetExceeded`, and sets nothing aside, when one would be passed."""
        with self._transaction() as transaction:
            levels = tuple(self._levels(transaction, key, amounts))
            for level in levels:
                if level.used > level.limit:
                    before = level.used - amounts[level.what]
                    counts = f" ({_WHAT_COUNTS[level.what]})" if level.what in _WHAT_COUNTS else ""
                    raise level.passed(
                        f"{Level(scope=level.scope, what=level.what, used=before, limit=level.limit)}, and the next "
                        f"step may take {_number(amounts[level.what])} more{counts}"
                    )
            self._put(transaction, key, amounts)
        return tuple(level for level in levels if level.is_near)

    def fits(self, key: str, amounts: Amounts) -> bool:
        """Whether this much would pass no budget; nothing is set aside."""
        with self._transaction() as transaction:
            return all(level.used <= level.limit for level in self._levels(transaction, key, amounts))

    def left(self, what: str) -> float | None:
        """How much is left of it by the narrowest of its budgets, None where there is none."""
        with self._transaction() as transaction:
            levels = tuple(self._levels(transaction, "", {what: 0.0}))
        return min((level.limit - level.used for level in levels), default=None)

    def settle(self, key: str, amounts: Amounts) -> None:
        """What was set aside under this key has come to this much."""
        with self._transaction() as transaction:
            self._put(transaction, key, amounts)

    def levels(self) -> tuple[Level, ...]:
        """How far each budget is used up now."""
        nothing: dict[str, float] = dict.fromkeys(IN_WORDS, 0.0)
        with self._transaction() as transaction:
            return tuple(self._levels(transaction, "", nothing))

    def used(self, scope: Scope) -> dict[str, float]:
        """What is used up now of each that is counted, whether it is limited or not."""
        with self._transaction() as transaction:
            return dict.fromkeys(IN_WORDS, 0.0) | self._sums(transaction, scope)

    def is_news(self, level: Level) -> bool:
        """Whether nobody was warned today of this budget, which is one of all sessions; from now on they were."""
        today = self._begins("day")
        with self._transaction() as transaction:
            transaction.execute("DELETE FROM warned WHERE day < ?", (today,))
            row = (level.key, level.limit, today)
            return transaction.execute("INSERT OR IGNORE INTO warned VALUES (?, ?, ?)", row).rowcount > 0

    def close(self) -> None:
        """Close the ledger, where it was opened."""
        if "_ledger" in self.__dict__:
            self._ledger.close()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            notices = self._ledger.notices
            untold, self._told = notices[self._told :], len(notices)
        for notice in untold:  # without the lock: whoever is told may look at the ledger
            self._tell(f"{notice} {_BEGUN_ANEW}")
        with self._lock, self._ledger.write() as transaction:
            yield transaction

    def _levels(self, transaction: sqlite3.Connection, key: str, amounts: Amounts) -> Iterator[Level]:
        """The budgets on which this has a bearing, as they are with it. What stands under the key since another day,
        or another month, was counted then and adds nothing to this one."""
        since = dict(
            transaction.execute("SELECT what, time FROM spent WHERE session = ? AND key = ?", (self._session, key))
        )
        for scope, limits in self._limits.items():
            begins = self._begins(scope)
            before = self._sums(transaction, scope, key)
            for what, limit in limits.items():
                if what in amounts and since.get(what, begins) >= begins:
                    used = before.get(what, 0.0) + amounts[what]
                    yield Level(scope=scope, what=what, used=used, limit=limit)

    def _sums(self, transaction: sqlite3.Connection, scope: Scope, without: str = "") -> dict[str, float]:
        """What is used up of everything, besides what stands under a key of this session."""
        only = "AND session = ?" if scope == "session" else "AND ? IS NOT NULL"
        rows = transaction.execute(
            f"SELECT what, SUM(amount) FROM spent WHERE time >= ? {only} "
            "AND NOT (session = ? AND key = ?) GROUP BY what",
            (self._begins(scope), self._session, self._session, without),
        )
        return dict(rows)

    def _begins(self, scope: Scope) -> float:
        """The moment from which on what is used up counts for such a budget now."""
        # Without a time zone, since midnight may be in another one than now: clocks are put forward and back.
        today = datetime.combine(datetime.fromtimestamp(self._clock()).date(), datetime.min.time())
        begins = {"session": 0.0, "day": today.timestamp(), "month": today.replace(day=1).timestamp()}
        return begins[scope]

    def _put(self, transaction: sqlite3.Connection, key: str, amounts: Amounts) -> None:
        for what, amount in amounts.items():
            transaction.execute(
                "INSERT INTO spent VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (session, key, what) DO UPDATE SET amount = excluded.amount",
                (self._session, key, what, self._clock(), amount),
            )


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:,.4f}".rstrip("0")
