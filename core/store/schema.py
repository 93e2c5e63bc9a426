"""The tables of the event log, as the list of steps that made them what they are.

A step is never changed once it was released; the next change is a step of its own at the end.
"""

from __future__ import annotations

import sqlite3

APPLICATION_ID = 0x54524431  # "TRD1", what file(1) shows


def _sessions_and_events(connection: sqlite3.Connection) -> None:
    connection.execute(
        """CREATE TABLE sessions (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            parent TEXT,
            task BLOB NOT NULL,
            title TEXT NOT NULL,
            state TEXT NOT NULL,
            started REAL NOT NULL,
            ended REAL,
            starred INTEGER NOT NULL DEFAULT 0
        )"""
    )
    connection.execute(
        """CREATE TABLE events (
            session INTEGER NOT NULL REFERENCES sessions (number) ON DELETE CASCADE,
            seq INTEGER NOT NULL,
            time REAL NOT NULL,
            kind TEXT NOT NULL,
            attempt INTEGER NOT NULL,
            parent INTEGER NOT NULL,
            zipped INTEGER NOT NULL,
            data BLOB NOT NULL,
            PRIMARY KEY (session, seq)
        )"""
    )
    connection.execute("CREATE INDEX events_by_kind ON events (kind, time)")


def _outputs(connection: sqlite3.Connection) -> None:
    connection.execute(
        """CREATE TABLE outputs (
            ref TEXT PRIMARY KEY,
            time REAL NOT NULL,
            zipped INTEGER NOT NULL,
            data BLOB NOT NULL
        )"""
    )
    connection.execute(
        """CREATE TABLE output_uses (
            session INTEGER NOT NULL REFERENCES sessions (number) ON DELETE CASCADE,
            ref TEXT NOT NULL REFERENCES outputs (ref) ON DELETE CASCADE,
            PRIMARY KEY (session, ref)
        ) WITHOUT ROWID"""
    )
    connection.execute("CREATE INDEX output_uses_by_ref ON output_uses (ref)")


def _search_and_retention(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE sessions ADD COLUMN deleted REAL")
    connection.execute("CREATE TABLE marks (name TEXT PRIMARY KEY, value REAL NOT NULL)")
    connection.execute(
        """CREATE TABLE texts (
            id INTEGER PRIMARY KEY,
            session INTEGER NOT NULL REFERENCES sessions (number) ON DELETE CASCADE,
            text TEXT NOT NULL
        )"""
    )
    connection.execute("CREATE INDEX texts_by_session ON texts (session)")
    # The index holds no text of its own; the triggers keep it in step with `texts` (SQLite, "External Content Tables").
    connection.execute("CREATE VIRTUAL TABLE texts_index USING fts5(text, content = 'texts', content_rowid = 'id')")
    connection.execute(
        """CREATE TRIGGER texts_added AFTER INSERT ON texts BEGIN
            INSERT INTO texts_index (rowid, text) VALUES (new.id, new.text);
        END"""
    )
    connection.execute(
        """CREATE TRIGGER texts_removed AFTER DELETE ON texts BEGIN
            INSERT INTO texts_index (texts_index, rowid, text) VALUES ('delete', old.id, old.text);
        END"""
    )
    connection.execute("INSERT INTO texts (session, text) SELECT number, title FROM sessions")


MIGRATIONS = (_sessions_and_events, _outputs, _search_and_retention)
