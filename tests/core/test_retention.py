from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.event_logs import EventLogs
from treadle.core.config.settings import RetentionSettings
from treadle.core.errors import UnknownSession
from treadle.core.places import Places
from treadle.core.records import Task
from treadle.core.store.retention import Cleaned, clean
from treadle.core.store.session_lock import file_lock
from treadle.core.store.store import Store

DAY = 86400.0
START = 1_795_827_912.0
SETTINGS = RetentionSettings()


class Clock:
    now = START

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def places(logs: EventLogs) -> Places:
    return logs.places


@pytest.fixture
def store(logs: EventLogs, clock: Clock) -> Iterator[Store]:
    with logs.open(clock) as store:
        yield store


def session(store: Store, places: Places, state: str = "SOLVED") -> str:
    row = store.create_session(
        Task(id="t", kind="fix", project="/home/ada/app", python="python", text="the leap years")
    )
    data: dict[str, Any] = {"state": state}
    store.append(row.id, "session.state", data)
    folder = places.session(row.id) / "upper"
    folder.mkdir(parents=True)
    (folder / "file").write_text("x")
    return row.id


def ids(store: Store) -> list[str]:
    return sorted(store.session_ids())


def aged(path: Path, moment: float) -> Path:
    os.utime(path, (moment, moment), follow_symlinks=False)
    return path


def test_an_old_session_goes_with_its_folder_its_words_and_its_lock(
    store: Store, places: Places, logs: EventLogs
) -> None:
    old = session(store, places)
    ref = store.put_output(old, "printed")
    with store.lock(old):
        pass

    assert clean(store, places, SETTINGS, START + 29 * DAY, force=True).sessions == 0
    done = clean(store, places, SETTINGS, START + 31 * DAY)

    assert done.sessions == 1
    assert done.problems == ()
    assert ids(store) == []
    assert list(places.sessions.iterdir()) == []
    assert store.search("leap") == ()
    assert store.get_output(ref) is None
    for table in ("events", "texts", "outputs", "output_uses"):
        assert store._back_end.read(f"SELECT count(*) FROM {table}") == [(0,)]
    if logs.server is None:
        with sqlite3.connect(places.store) as connection:
            connection.execute("INSERT INTO texts_index (texts_index, rank) VALUES ('integrity-check', 1)")


@pytest.mark.parametrize("state", ["NEEDS_PERSON", "STOPPED", "GENERATING"])
def test_a_session_that_rests_or_was_cut_off_long_ago_goes(store: Store, places: Places, state: str) -> None:
    session(store, places, state)
    assert clean(store, places, SETTINGS, START + 31 * DAY).sessions == 1


def test_a_starred_session_stays(store: Store, places: Places) -> None:
    kept = session(store, places)
    store.star(kept)

    clean(store, places, SETTINGS, START + 1000 * DAY)
    assert ids(store) == [kept]
    assert places.session(kept).is_dir()

    store.star(kept, on=False)
    clean(store, places, SETTINGS, START + 1002 * DAY)
    assert ids(store) == []


def test_a_session_at_work_stays(store: Store, places: Places) -> None:
    kept = session(store, places)

    with store.lock(kept):
        assert clean(store, places, SETTINGS, START + 100 * DAY) == Cleaned()

    assert ids(store) == [kept]
    assert places.session(kept).is_dir()


def test_the_last_event_says_how_old_a_session_is(store: Store, places: Places, clock: Clock) -> None:
    kept = session(store, places)
    clock.now = START + 25 * DAY
    store.append(kept, "question.answered", {"answer": "go on"})

    clean(store, places, SETTINGS, START + 40 * DAY)

    assert ids(store) == [kept]


def test_a_deleted_session_can_be_taken_back_for_a_week(store: Store, places: Places) -> None:
    gone = session(store, places)
    store.star(gone)
    store.delete(gone)

    clean(store, places, SETTINGS, START + 6 * DAY)
    assert store.undelete(gone).id == gone
    store.delete(gone)
    clean(store, places, SETTINGS, START + 8 * DAY)

    with pytest.raises(UnknownSession):
        store.undelete(gone)
    assert not places.session(gone).exists()


def test_outputs_go_before_their_session(store: Store, places: Places) -> None:
    kept = session(store, places)
    ref = store.put_output(kept, "printed")

    assert clean(store, places, SETTINGS, START + 8 * DAY).outputs == 1

    assert store.get_output(ref) is None
    assert store.last_seq(kept) == 1


def test_the_settings_say_how_long(store: Store, places: Places) -> None:
    session(store, places)
    short = RetentionSettings(sessions_days=1)

    assert clean(store, places, short, START + 2 * DAY).sessions == 1


def test_it_is_done_at_most_once_a_day_unless_forced(store: Store, places: Places) -> None:
    now = START + 100 * DAY
    assert not clean(store, places, SETTINGS, now).skipped
    session(store, places)

    assert clean(store, places, SETTINGS, now + 0.9 * DAY).skipped
    assert not clean(store, places, SETTINGS, now + 0.9 * DAY, force=True).skipped
    assert clean(store, places, SETTINGS, now + DAY).skipped
    assert not clean(store, places, SETTINGS, now + 2 * DAY).skipped


def test_a_clock_that_was_ahead_once_does_not_stop_it_for_ever(store: Store, places: Places) -> None:
    clean(store, places, SETTINGS, START + 10_000 * DAY)
    assert not clean(store, places, SETTINGS, START + DAY).skipped


def test_only_the_newest_logs_stay_and_nothing_else_is_touched(store: Store, places: Places, tmp_path: Path) -> None:
    outside = tmp_path / "outside.jsonl"
    outside.write_text("kept")
    for n in range(60):
        (places.logs / f"20261128-0000{n:02}-1.jsonl").write_text("{}")
        aged(places.logs / f"20261128-0000{n:02}-1.jsonl", START + n)
    (places.logs / "link.jsonl").symlink_to(outside)
    aged(places.logs / "link.jsonl", START - DAY)
    (places.logs / "notes.txt").write_text("mine")
    aged(places.logs / "notes.txt", START - DAY)

    assert clean(store, places, SETTINGS, START + DAY).logs == 10

    names = sorted(p.name for p in places.logs.iterdir())
    assert names == [f"20261128-0000{n:02}-1.jsonl" for n in range(10, 60)] + ["link.jsonl", "notes.txt"]
    assert outside.read_text() == "kept"


def test_folders_of_unknown_sessions_go_after_a_week_and_only_those(
    store: Store, places: Places, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_text("kept")
    old, new, link, other = "20260101-000000-aaaa", "20260101-000000-bbbb", "20260101-000000-cccc", "my notes"
    for name in (old, new, other):
        (places.sessions / name).mkdir()
    (places.sessions / old / "link").symlink_to(outside)
    (places.sessions / link).symlink_to(outside)
    (places.sessions / f"{old}.lock").touch()
    for name in (old, link, other, f"{old}.lock"):
        aged(places.sessions / name, START - 8 * DAY)
    aged(places.sessions / new, START - DAY)

    done = clean(store, places, SETTINGS, START)

    assert done.problems == ()
    assert done.leftovers == 2
    assert sorted(p.name for p in places.sessions.iterdir()) == sorted([new, other])
    assert (outside / "file").read_text() == "kept"


def test_a_folder_of_an_unknown_session_that_is_at_work_stays(store: Store, places: Places) -> None:
    name = "20260101-000000-aaaa"
    (places.sessions / name).mkdir()
    with store.lock(name):
        aged(places.sessions / name, START - 8 * DAY)
        aged(places.sessions / f"{name}.lock", START - 8 * DAY)
        assert clean(store, places, SETTINGS, START) == Cleaned()

    assert (places.sessions / name).is_dir()


def test_a_damaged_event_log_that_was_set_aside_is_never_removed(tmp_path: Path, clock: Clock) -> None:
    places = Places(tmp_path / "home", tmp_path / "project").make()
    places.store.write_bytes(b"garbage" * 1000)
    with Store.open(places.store, clock=clock) as store:
        clean(store, places, SETTINGS, START + 1000 * DAY)

    (aside,) = places.project_dir.glob("events.db.damaged-*")
    assert aside.read_bytes() == b"garbage" * 1000


def test_a_sessions_folder_that_is_a_link_is_left_alone_and_reported(
    store: Store, places: Places, tmp_path: Path
) -> None:
    old = session(store, places)
    elsewhere = tmp_path / "elsewhere"
    places.sessions.rename(elsewhere)
    places.sessions.symlink_to(elsewhere)

    done = clean(store, places, SETTINGS, START + 31 * DAY)

    assert done.sessions == 0
    assert old in done.problems[0]
    assert (elsewhere / old / "upper" / "file").exists()
    assert ids(store) == [old]


def test_cleaning_gives_room_back(tmp_path: Path, clock: Clock) -> None:
    places = Places(tmp_path / "home", tmp_path / "project").make()
    with Store.open(places.store, clock=clock) as store:
        old = session(store, places)
        for n in range(200):
            store.append(old, "note", {"noise": os.urandom(5000), "n": n})
    large = places.store.stat().st_size

    with Store.open(places.store) as again:
        clean(again, places, SETTINGS, START + 31 * DAY)

    assert places.store.stat().st_size < large / 5


def test_packages_that_no_session_has_used_go_and_those_in_use_stay(store: Store, places: Places) -> None:
    for name, days in (("old", 31), ("old.log", 31), ("used", 29)):
        entry = places.packages / name
        if name.endswith(".log"):
            entry.write_text("")
        else:
            (entry / "site").mkdir(parents=True)
        os.utime(entry, (START - days * DAY, START - days * DAY))
    with file_lock(places.packages_lock, "a test"):
        assert clean(store, places, SETTINGS, START, force=True).packages == 0
    assert clean(store, places, SETTINGS, START, force=True).packages == 1
    assert [path.name for path in places.packages.iterdir()] == ["used"]


def test_what_was_written_and_not_saved_goes_with_the_sessions_of_its_time(store: Store, places: Places) -> None:
    for name, days in (("old", 31), ("late", 29)):
        (places.unsaved / name).mkdir(parents=True)
        (places.unsaved / name / "1-task").write_text("x")
        aged(places.unsaved / name, START - days * DAY)
    elsewhere = places.home / "mine"
    elsewhere.mkdir(parents=True)
    (places.unsaved / "link").symlink_to(elsewhere)
    aged(places.unsaved / "link", START - 31 * DAY)
    assert clean(store, places, SETTINGS, START, force=True).unsaved == 2
    assert [path.name for path in places.unsaved.iterdir()] == ["late"]
    assert elsewhere.is_dir()


def test_a_removal_of_packages_that_is_cut_off_leaves_nothing_that_would_be_used(
    store: Store, places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut_off(parent: Path, name: str) -> None:
        raise KeyboardInterrupt

    (places.packages / "old" / "site").mkdir(parents=True)
    os.utime(places.packages / "old", (START - 31 * DAY, START - 31 * DAY))
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr("treadle.core.store.retention.remove_tree", cut_off)
        clean(store, places, SETTINGS, START, force=True)
    (left,) = places.packages.iterdir()
    assert left.name != "old"
    os.utime(left, (START, START))
    clean(store, places, SETTINGS, START, force=True)
    assert not list(places.packages.iterdir())
