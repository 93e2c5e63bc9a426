from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.event_logs import EventLogs
from treadle.core.errors import StoreBusy, StoreError, UnknownSession
from treadle.core.records import Task
from treadle.core.store.store import Store


def task(text: str = "mend the parser", **fields: Any) -> Task:
    return Task(
        **{"id": "t1", "kind": "fix", "project": "/home/ada/app", "python": "/usr/bin/python3", "text": text} | fields
    )


class Clock:
    def __init__(self, now: float = 1_795_827_912.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(logs: EventLogs, clock: Clock) -> Iterator[Store]:
    with logs.open(clock) as store:
        yield store


# Text with surrogates is what Python makes of file names that are not UTF-8.
any_text = st.text(st.characters(codec=None))
plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False) | any_text | st.binary(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(any_text, inner, max_size=4),
    max_leaves=20,
)


@settings(suppress_health_check=list(HealthCheck), deadline=None)
@given(st.dictionaries(any_text, plain, max_size=4))
def test_any_plain_data_comes_back_as_it_was_logged(store: Store, data: dict[str, Any]) -> None:
    session = store.create_session(task()).id

    event = store.append(session, "plugin.mine.thing", data, attempt=2, parent=0)

    assert event.data == data
    assert list(store.events(session)) == [event]


def test_events_are_numbered_from_one_in_each_session(store: Store) -> None:
    first, second = store.create_session(task()).id, store.create_session(task()).id
    for session in (first, second, first):
        store.append(session, "stage.started", {"stage": "PLANNING"})

    assert [e.seq for e in store.events(first)] == [1, 2]
    assert [e.seq for e in store.events(second)] == [1]
    assert (store.last_seq(first), store.last_seq(second), store.last_seq("none")) == (2, 1, 0)


def test_a_reader_can_go_on_after_what_it_has_seen(store: Store) -> None:
    session = store.create_session(task()).id
    for n in range(600):
        store.append(session, "note", {"n": n})

    assert [e.data["n"] for e in store.events(session, after=590)] == list(range(590, 600))
    assert [e.data["n"] for e in store.events(session)] == list(range(600))


def test_a_reader_sees_what_is_logged_while_it_reads(store: Store) -> None:
    session = store.create_session(task()).id
    for n in range(256):
        store.append(session, "note", {"n": n})
    events = store.events(session)
    next(events)
    store.append(session, "note", {"n": 256})

    assert [e.seq for e in events][-1] == 257


@pytest.mark.parametrize("data", [{"n": 2**64}, {"n": object()}, {"n": {1: 2}}], ids=["big", "object", "integer key"])
def test_data_that_is_not_plain_is_refused_and_nothing_is_logged(store: Store, data: dict[str, Any]) -> None:
    session = store.create_session(task()).id

    with pytest.raises(StoreError, match=r"'odd' can't be logged.*plain values"):
        store.append(session, "odd", data)

    assert store.last_seq(session) == 0


def test_large_repetitive_data_takes_little_room(store: Store) -> None:
    session = store.create_session(task()).id
    data = {"text": "the same line again\n" * 100_000}

    store.append(session, "note", data)

    assert next(store.events(session)).data == data
    assert store._back_end.read("SELECT sum(length(data)) FROM events")[0][0] < 300_000


def test_the_session_row_follows_its_state_events(store: Store, clock: Clock) -> None:
    session = store.create_session(task()).id
    assert (store.session(session).state, store.session(session).ended) == ("INIT", None)

    store.append(session, "session.state", {"state": "PLANNING"})
    assert store.session(session).state == "PLANNING"

    clock.now += 60
    store.append(session, "session.ended", {"state": "UNSOLVED"}, state="UNSOLVED")
    assert (store.session(session).state, store.session(session).ended) == ("UNSOLVED", clock.now)

    store.append(session, "session.state", {"state": "GENERATING"})
    assert (store.session(session).state, store.session(session).ended) == ("GENERATING", None)


def test_an_unknown_state_is_refused_and_nothing_is_logged(store: Store) -> None:
    session = store.create_session(task()).id

    with pytest.raises(StoreError, match="'DONE'"):
        store.append(session, "session.state", {"state": "DONE"})

    assert store.last_seq(session) == 0
    assert store.session(session).state == "INIT"


def test_nothing_is_logged_for_a_session_that_does_not_exist(store: Store) -> None:
    with pytest.raises(UnknownSession):
        store.append("20200101-000000-aaaa", "note", {})
    with pytest.raises(UnknownSession):
        list(store.events("20200101-000000-aaaa"))
    with pytest.raises(UnknownSession):
        store.put_output("20200101-000000-aaaa", "text")


def test_session_ids_sort_by_time_and_are_unique(store: Store, clock: Clock) -> None:
    ids = []
    for _ in range(40):
        ids += [store.create_session(task()).id, store.create_session(task()).id]
        clock.now += 1

    assert len(set(ids)) == 80
    assert [i[:15] for i in ids] == sorted(i[:15] for i in ids)
    assert max(map(len, ids)) == 20


def test_a_task_comes_back_whole_also_with_paths_that_are_not_utf8(store: Store) -> None:
    given_task = task(text="", project="/home/ada/caf\udce9", files=("a%FF.py",), test_command=("make", "te\udcffst"))

    row = store.create_session(given_task, parent="20200101-000000-aaaa")

    assert row.task == given_task
    assert row.parent == "20200101-000000-aaaa"
    assert row.title == "fix a%FF.py"
    assert store.session(row.id) == row


def test_threads_that_append_at_once_leave_no_gap(store: Store) -> None:
    session = store.create_session(task()).id

    def work() -> None:
        for n in range(100):
            store.append(session, "note", {"n": n})

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [e.seq for e in store.events(session)] == list(range(1, 401))


def test_outputs_are_kept_once_and_expire_alone(store: Store, clock: Clock) -> None:
    one, two = store.create_session(task()).id, store.create_session(task()).id
    text = "line\udcff\n" * 5000

    ref = store.put_output(one, text)
    assert store.put_output(two, text) == ref
    assert store.get_output(ref) == text
    store.purge(one)
    assert store.get_output(ref) == text

    assert store.expire_outputs(clock.now) == 0
    assert store.expire_outputs(clock.now + 1) == 1
    assert store.get_output(ref) is None
    assert store.session(two).id == two


def test_an_output_that_only_a_purged_session_used_is_gone(store: Store) -> None:
    session = store.create_session(task()).id
    ref = store.put_output(session, "text")

    store.purge(session)

    assert store.get_output(ref) is None
    with pytest.raises(UnknownSession):
        store.session(session)


def test_a_deleted_session_is_hidden_and_can_be_taken_back(store: Store) -> None:
    row = store.create_session(task())
    store.append(row.id, "note", {})

    store.delete(row.id)
    assert store.sessions() == store.search("parser") == ()
    with pytest.raises(UnknownSession):
        store.session(row.id)

    store.undelete(row.id[:10])
    assert store.sessions() == (row,)
    assert store.last_seq(row.id) == 1


def test_a_session_at_work_cannot_be_deleted(store: Store) -> None:
    session = store.create_session(task()).id

    with store.lock(session), pytest.raises(StoreBusy, match=r"in use by process \d+"):
        store.delete(session)

    assert store.session(session).id == session


def test_a_lock_is_held_by_one_and_seen_by_all(store: Store) -> None:
    session, other = store.create_session(task()).id, store.create_session(task()).id
    assert not store.is_locked(session)

    with store.lock(session):
        assert store.is_locked(session)
        assert not store.is_locked(other)
        with pytest.raises(StoreBusy), store.lock(session):
            pass
        assert store.is_locked(session)

    assert not store.is_locked(session)


def test_a_session_was_interrupted_when_its_state_says_work_and_nobody_works(store: Store) -> None:
    session = store.create_session(task()).id
    store.append(session, "session.state", {"state": "EXECUTING"})

    with store.lock(session):
        assert not store.interrupted(store.session(session))
    assert store.interrupted(store.session(session))

    for state in ("NEEDS_PERSON", "STOPPED", "SOLVED"):
        store.append(session, "session.state", {"state": state})
        assert not store.interrupted(store.session(session))


def test_a_lock_never_reaches_outside_of_the_sessions_folder(store: Store) -> None:
    with pytest.raises(UnknownSession), store.lock("../../etc"):
        pass


def test_thousands_of_events_are_written_and_read_in_linear_time(store: Store, logs: EventLogs) -> None:
    session = store.create_session(task()).id
    many = 3_000 if logs.server else 10_000  # each is a round trip there
    for n in range(many):
        store.append(session, "effect.finished", {"effect": "execute", "key": str(n), "result": "passed"})

    assert sum(1 for _ in store.events(session)) == many
    explain = "EXPLAIN" if logs.server else "EXPLAIN QUERY PLAN"
    plan = store._back_end.read(f"{explain} SELECT max(seq) FROM events WHERE session = 1")
    assert ("Index" if logs.server else "SEARCH") in str(plan)


def test_a_closed_store_says_so(store: Store) -> None:
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.sessions()


def test_the_files_are_for_the_person_alone(tmp_path: Path) -> None:
    with Store.open(tmp_path / "events.db") as store:
        session = store.create_session(task()).id
        with store.lock(session):
            modes = {f.name: f.stat().st_mode & 0o077 for f in tmp_path.rglob("*") if f.is_file()}

    assert set(modes.values()) == {0}
    assert {"events.db", "events.db-wal"} <= set(modes)


def test_events_of_some_kinds_are_found_in_all_sessions(store: Store) -> None:
    one, two, gone = (store.create_session(task()).id for _ in range(3))
    for session in (one, two, gone):
        for kind in ("plan.made", "plugin.a.tried", "plugin.b_.tried", "Plugin.c.TRIED", "plugin.tried.not"):
            store.append(session, kind, {})
    store.delete(gone)

    def kinds(*among: str, like: str = "") -> list[tuple[str, str]]:
        return [(event.session, event.kind) for event in store.events_of(among, like=like)]

    assert kinds("plan.made") == [(one, "plan.made"), (two, "plan.made")]
    tried = ["plan.made", "plugin.a.tried", "plugin.b_.tried"]
    assert kinds("plan.made", like="plugin.*.tried") == [(session, kind) for session in (one, two) for kind in tried]
    assert [kind for _, kind in kinds(like="plugin._.*")] == []
    assert kinds() == []


def test_what_no_database_can_hold_as_text_is_still_found(store: Store) -> None:
    row = store.create_session(task(text="a\0b \udcff clef"))
    store.append(row.id, "session.failed", {"error": "nul \0 byte"})

    assert store.session(row.id).task.text == "a\0b \udcff clef"
    assert row.title == "a\\x00b %FF clef"
    assert [found.id for found in store.sessions(search="clef byte")] == [row.id]
