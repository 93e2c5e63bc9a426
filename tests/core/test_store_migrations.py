from __future__ import annotations

import sqlite3
from pathlib import Path

import msgspec
import pytest

from treadle.core.errors import StoreError
from treadle.core.records import Task
from treadle.core.store.schema import MIGRATIONS
from treadle.core.store.store import Store

# What the first step left, written down here by hand: a file of that time must stay readable for ever.
VERSION_1 = """
    CREATE TABLE sessions (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, parent TEXT,
        task BLOB NOT NULL, title TEXT NOT NULL, state TEXT NOT NULL, started REAL NOT NULL, ended REAL,
        starred INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE events (session INTEGER NOT NULL REFERENCES sessions (number) ON DELETE CASCADE, seq INTEGER NOT NULL,
        time REAL NOT NULL, kind TEXT NOT NULL, attempt INTEGER NOT NULL, parent INTEGER NOT NULL,
        zipped INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (session, seq));
    CREATE INDEX events_by_kind ON events (kind, time);
    PRAGMA application_id = 1414677553;
    PRAGMA user_version = 1;
"""
SESSION = "20250101-120000-abcd"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "events.db"
    connection = sqlite3.connect(path)
    connection.executescript(VERSION_1)
    task = {"id": "t", "kind": "fix", "project": "/home/ada/app", "python": "python", "text": "the leap years"}
    connection.execute(
        "INSERT INTO sessions (id, task, title, state, started) VALUES (?, ?, 'the leap years', 'SOLVED', 1735732800)",
        (SESSION, msgspec.msgpack.encode(task)),
    )
    data = msgspec.msgpack.encode({"stage": "PLANNING"})
    connection.execute("INSERT INTO events VALUES (1, 1, 1735732801, 'stage.started', 0, 0, 0, ?)", (data,))
    connection.commit()
    connection.close()
    return path


def version_of(path: Path) -> int:
    connection = sqlite3.connect(path)
    try:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])
    finally:
        connection.close()


def test_a_file_of_the_first_version_is_brought_up_to_date_and_loses_nothing(old: Path) -> None:
    with Store.open(old) as store:
        assert store.notices == ()
        assert store.session(SESSION).task == Task(
            id="t", kind="fix", project="/home/ada/app", python="python", text="the leap years"
        )
        assert [e.data for e in store.events(SESSION)] == [{"stage": "PLANNING"}]
        assert store.append(SESSION, "note", {}).seq == 2
        assert store.get_output(store.put_output(SESSION, "out")) == "out"
        assert [row.id for row in store.sessions(search="leap")] == [SESSION]
        store.delete(SESSION)
    assert version_of(old) == len(MIGRATIONS)


@pytest.mark.parametrize("steps", range(1, len(MIGRATIONS) + 1))
def test_a_file_of_each_version_is_brought_up_to_date(tmp_path: Path, steps: int) -> None:
    path = tmp_path / "events.db"
    connection = sqlite3.connect(path)
    for step in MIGRATIONS[:steps]:
        step(connection)
    connection.executescript(f"PRAGMA application_id = 1414677553; PRAGMA user_version = {steps};")
    connection.close()

    with Store.open(path) as store:
        assert store.notices == ()
        assert store.sessions() == ()
    assert version_of(path) == len(MIGRATIONS)


def test_a_step_that_fails_leaves_the_file_at_its_old_version(old: Path) -> None:
    connection = sqlite3.connect(old)
    connection.execute("CREATE TABLE texts (in_the_way)")
    connection.commit()
    connection.close()

    with pytest.raises(StoreError, match="texts"):
        Store.open(old)

    assert version_of(old) == 1
    connection = sqlite3.connect(old)
    assert connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'outputs'").fetchone() == (0,)
    connection.close()


def test_a_file_of_a_newer_version_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "events.db"
    with Store.open(path) as store:
        store.create_session(Task(id="t", kind="fix", project="/home/ada/app", python="python"))
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.commit()
    connection.close()
    content = path.read_bytes()

    with pytest.raises(StoreError, match=r"newer Treadle \(schema 99.*Update Treadle"):
        Store.open(path)

    assert path.read_bytes() == content
    assert not list(tmp_path.glob("*damaged*"))
