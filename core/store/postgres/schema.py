"""The tables of the event log in PostgreSQL, as the list of steps that made them what they are.

A step is never changed once it was released; the next change is a step of its own at the end.
"""

from __future__ import annotations

_FIRST = (
    """CREATE TABLE sessions (
        number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        id TEXT COLLATE "C" NOT NULL UNIQUE,
        parent TEXT,
        task BYTEA NOT NULL,
        title TEXT NOT NULL,
        state TEXT NOT NULL,
        started DOUBLE PRECISION NOT NULL,
        ended DOUBLE PRECISION,
        starred BOOLEAN NOT NULL DEFAULT FALSE,
        deleted DOUBLE PRECISION
    )""",
    """CREATE TABLE events (
        session BIGINT NOT NULL REFERENCES sessions (number) ON DELETE CASCADE,
        seq BIGINT NOT NULL,
        time DOUBLE PRECISION NOT NULL,
        kind TEXT NOT NULL,
        attempt BIGINT NOT NULL,
        parent BIGINT NOT NULL,
        zipped BOOLEAN NOT NULL,
        data BYTEA NOT NULL,
        PRIMARY KEY (session, seq)
    )""",
    "CREATE INDEX events_by_kind ON events (kind, time)",
    """CREATE TABLE outputs (
        ref TEXT PRIMARY KEY,
        time DOUBLE PRECISION NOT NULL,
        zipped BOOLEAN NOT NULL,
        data BYTEA NOT NULL
    )""",
    """CREATE TABLE output_uses (
        session BIGINT NOT NULL REFERENCES sessions (number) ON DELETE CASCADE,
        ref TEXT NOT NULL REFERENCES outputs (ref) ON DELETE CASCADE,
        PRIMARY KEY (session, ref)
    )""",
    "CREATE INDEX output_uses_by_ref ON output_uses (ref)",
    """CREATE TABLE texts (
        id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        session BIGINT NOT NULL REFERENCES sessions (number) ON DELETE CASCADE,
        text TEXT NOT NULL,
        words TSVECTOR NOT NULL
    )""",
    "CREATE INDEX texts_by_session ON texts (session)",
    "CREATE INDEX texts_by_word ON texts USING gin (words)",
    "CREATE TABLE marks (name TEXT PRIMARY KEY, value DOUBLE PRECISION NOT NULL)",
)

MIGRATIONS = (_FIRST,)
