"""What the event log and the lessons ask of a database: SQLite and PostgreSQL each are one.

The SQL over it is written once, in the words that both understand, with `?` for each value. What they say differently
(finding words, locks that other programs see) stands behind small protocols of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol


class Answer(Protocol):
    """What a statement left: how many rows it changed, or the rows that it found."""

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""
        ...

    def fetchone(self) -> Any:
        """The next row, None after the last."""
        ...


class Transaction(Protocol):
    """What is executed here is stored as a whole or not at all."""

    def execute(self, sql: str, parameters: Sequence[Any] = ..., /) -> Answer:
        """Execute one statement."""
        ...


class BackEnd(Protocol):
    """A database of our own: one project's event log, or lessons. May be used from several threads, and by a forked
    child. Every method raises `StoreBusy` when somebody else keeps it busy for too long, `StoreError` when it can't be
    used."""

    @property
    def place(self) -> str:
        """Where it is, for people; holds no secret."""
        ...

    @property
    def notices(self) -> tuple[str, ...]:
        """Sentences for the person about what had to be done to open it."""
        ...

    def write(self) -> AbstractContextManager[Transaction]:
        """One transaction. There is one writer at a time, so what it reads stays true until its end."""
        ...

    def read(self, sql: str, *parameters: Any) -> list[Any]:
        """All rows of a query."""
        ...

    def shrink(self) -> None:
        """Give back the room of what was deleted, where that does not happen by itself."""
        ...

    def close(self) -> None:
        """Close it; further use raises `StoreError`."""
        ...


class TextSearch(Protocol):
    """Finding sessions by the words in the table `texts`. A word is what a person typed: letters, digits, `_`; those
    that begin with it are found too."""

    def add(self, transaction: Transaction, session: int, text: str) -> None:
        """Keep a text of the session with that number, to be found by its words."""
        ...

    def copy(self, transaction: Transaction, source: int, target: int) -> None:
        """Keep all texts of the one session for the other as well."""
        ...

    def holds(self, word: str) -> tuple[str, str]:
        """A condition in SQL for sessions `s` that hold the word, and its one parameter."""
        ...

    def excerpts(self, words: Sequence[str]) -> list[tuple[str, str]]:
        """Ids of sessions with any of the words, each with the place that holds them best, the best first; the words
        stand in square brackets. An id may come again."""
        ...


class SessionLocks(Protocol):
    """One program works on a session at a time, and a dead one's lock is free."""

    def hold(self, session: str) -> AbstractContextManager[None]:
        """Hold the session. Raises `StoreBusy`, naming who does."""
        ...

    def is_held(self, session: str) -> bool:
        """Whether some program holds the session."""
        ...
