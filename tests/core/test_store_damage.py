from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest

from treadle.core.errors import StoreError
from treadle.core.records import Task
from treadle.core.store.store import Store

TASK = Task(id="t", kind="fix", project="/home/ada/app", python="python", text="mend it")
NOW = 1_795_827_912.0


def filled(path: Path, events: int = 300) -> str:
    with Store.open(path) as store:
        session = store.create_session(TASK).id
        for n in range(events):
            store.append(session, "note", {"n": n, "noise": random.Random(n).randbytes(300)})
    return session


def garbage(path: Path) -> None:
    path.write_bytes(b"this is no database, and it never was one\n" * 200)


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def cut_to_a_piece_of_the_header(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:50])


def bad_pages(path: Path) -> None:
    raw = bytearray(path.read_bytes())
    for page in range(2, len(raw) // 4096):
        raw[page * 4096 : page * 4096 + 64] = b"\xff" * 64
    path.write_bytes(raw)


def emptied_beside_its_log(path: Path) -> None:
    path.with_name(path.name + "-wal").write_bytes(b"\x37\x7f\x06\x82" + bytes(5000))
    path.write_bytes(b"")


def another_programs(path: Path) -> None:
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE bookmarks (url)")
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    "damage", [garbage, cut_short, cut_to_a_piece_of_the_header, bad_pages, emptied_beside_its_log, another_programs]
)
def test_a_damaged_file_is_set_aside_whole_and_a_new_one_is_started(tmp_path: Path, damage: object) -> None:
    path = tmp_path / "events.db"
    filled(path)
    assert callable(damage)
    damage(path)
    content = path.read_bytes()

    with Store.open(path, clock=lambda: NOW) as store:
        assert store.sessions() == ()
        (notice,) = store.notices
        session = store.create_session(TASK).id
        store.append(session, "note", {})

    aside = tmp_path / "events.db.damaged-20261128-010512"
    assert aside.read_bytes() == content
    assert aside.name in notice
    assert "set aside" in notice
    with Store.open(path) as again:
        assert again.notices == ()
        assert again.last_seq(session) == 1


def test_damage_twice_in_one_second_keeps_both_files(tmp_path: Path) -> None:
    path = tmp_path / "events.db"
    for text in (b"first garbage", b"second garbage"):
        path.write_bytes(text * 100)
        Store.open(path, clock=lambda: NOW).close()

    kept = sorted(p.read_bytes()[:6] for p in tmp_path.glob("events.db.damaged-*"))
    assert kept == [b"first ", b"second"]


def test_what_was_only_in_the_write_ahead_log_is_set_aside_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "events.db"
    path.write_bytes(b"garbage" * 1000)
    (tmp_path / "events.db-wal").write_bytes(b"the log")

    Store.open(path, clock=lambda: NOW).close()

    assert (tmp_path / "events.db.damaged-20261128-010512-wal").read_bytes() == b"the log"


def test_a_page_that_goes_bad_while_the_file_is_open_is_an_error_and_set_aside_at_the_next_start(
    tmp_path: Path,
) -> None:
    path = tmp_path / "events.db"
    # Larger than what is checked at every start, so that only the suspicion makes the next start look.
    session = filled(path, events=8_000)
    assert path.stat().st_size > 2 << 20
    bad_pages(path)

    with Store.open(path) as store:
        assert store.notices == ()
        with pytest.raises(StoreError, match="Start Treadle again"):
            list(store.events(session))
    with Store.open(path) as store:
        assert "set aside" in store.notices[0]
        assert store.sessions() == ()


def test_a_sound_file_that_was_suspected_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "events.db"
    session = filled(path, events=1)
    (tmp_path / "events.db.suspect").touch()

    with Store.open(path) as store:
        assert store.notices == ()
        assert store.last_seq(session) == 1
    assert not (tmp_path / "events.db.suspect").exists()


def test_an_empty_file_is_a_new_event_log(tmp_path: Path) -> None:
    path = tmp_path / "events.db"
    path.touch()
    with Store.open(path) as store:
        assert store.notices == ()
        assert store.sessions() == ()


def test_a_place_where_no_file_can_be_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "events.db").mkdir()
    with pytest.raises(StoreError, match=r"events\.db"):
        Store.open(tmp_path / "events.db")
