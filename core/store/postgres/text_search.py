"""Finding sessions by their words in PostgreSQL: a `tsvector` beside each text, with an index over it."""

from __future__ import annotations

from collections.abc import Sequence

from treadle.core.store.back_end import BackEnd, Transaction
from treadle.core.store.postgres.lexemes import any_of, excerpt, phrase, vector


class PostgresSearch:
    """The `TextSearch` of a PostgreSQL schema."""

    def __init__(self, back_end: BackEnd) -> None:
        self._back_end = back_end

    def add(self, transaction: Transaction, session: int, text: str) -> None:
        """Keep a text of the session with that number, to be found by its words."""
        transaction.execute(
            "INSERT INTO texts (session, text, words) VALUES (?, ?, ?::tsvector)", (session, text, vector(text))
        )

    def copy(self, transaction: Transaction, source: int, target: int) -> None:
        """Keep all texts of the one session for the other as well."""
        transaction.execute(
            "INSERT INTO texts (session, text, words) SELECT ?, text, words FROM texts WHERE session = ? ORDER BY id",
            (target, source),
        )

    def holds(self, word: str) -> tuple[str, str]:
        """A condition in SQL for sessions `s` that hold the word, and its one parameter."""
        return "s.number IN (SELECT session FROM texts WHERE words @@ ?::tsquery)", phrase(word)

    def excerpts(self, words: Sequence[str]) -> list[tuple[str, str]]:
        """Ids of sessions with any of the words, and the place that holds them, the best first."""
        query = any_of(map(phrase, words))
        rows = self._back_end.read(
            "SELECT id, text FROM ("
            "SELECT DISTINCT ON (s.id) s.id, t.text, ts_rank(t.words, ?::tsquery) AS rank FROM texts t "
            "JOIN sessions s ON s.number = t.session WHERE t.words @@ ?::tsquery ORDER BY s.id, rank DESC, t.id"
            ") best ORDER BY rank DESC, id DESC",
            query,
            query,
        )
        return [(session, excerpt(text, words)) for session, text in rows]
