"""Finding sessions by their words in SQLite: the full-text index FTS5, which triggers keep in step with `texts`."""

from __future__ import annotations

from collections.abc import Sequence

from treadle.core.store.back_end import BackEnd, Transaction


class SqliteSearch:
    """The `TextSearch` of a SQLite file."""

    def __init__(self, back_end: BackEnd) -> None:
        self._back_end = back_end

    def add(self, transaction: Transaction, session: int, text: str) -> None:
        """Keep a text of the session with that number, to be found by its words."""
        transaction.execute("INSERT INTO texts (session, text) VALUES (?, ?)", (session, text))

    def copy(self, transaction: Transaction, source: int, target: int) -> None:
        """Keep all texts of the one session for the other as well."""
        transaction.execute(
            "INSERT INTO texts (session, text) SELECT ?, text FROM texts WHERE session = ? ORDER BY id",
            (target, source),
        )

    def holds(self, word: str) -> tuple[str, str]:
        """A condition in SQL for sessions `s` that hold the word, and its one parameter."""
        found = "SELECT session FROM texts WHERE id IN (SELECT rowid FROM texts_index(?))"
        return f"s.number IN ({found})", _query(word)

    def excerpts(self, words: Sequence[str]) -> list[tuple[str, str]]:
        """Ids of sessions with any of the words, and the place that holds them, the best first."""
        return self._back_end.read(
            "SELECT s.id, snippet(texts_index, 0, '[', ']', '…', 12) FROM texts_index(?) i "
            "JOIN texts t ON t.id = i.rowid JOIN sessions s ON s.number = t.session ORDER BY i.rank",
            " OR ".join(map(_query, words)),
        )


def _query(word: str) -> str:
    # Quoted, so that nothing a person types is taken for FTS5's query language; the star finds longer words too.
    return f'"{word}"*'
