from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import treadle
from tests.event_logs import OPEN, EventLogs, places_in
from treadle.core.errors import StoreBusy
from treadle.core.records import Task
from treadle.core.store.store import Store

TASK = Task(id="t", kind="fix", project="/home/ada/app", python="python", text="mend it")

APPEND = (
    OPEN
    + """
session, count = rest
with open_log() as store:
    for n in range(int(count)):
        event = store.append(session, "note", {"n": n, "noise": "x" * 600})
        print(event.seq, flush=True)
"""
)
HOLD = (
    OPEN
    + """
(session,) = rest
with open_log() as store, store.lock(session):
    print("held", flush=True)
    sys.stdin.read()
"""
)
HOLD_AND_FORK = (
    OPEN
    + """
import os
(session,) = rest
with open_log() as store, store.lock(session):
    if os.fork() == 0:
        print("forked", flush=True)
        sys.stdin.read()
        print("child ends", flush=True)
        os._exit(0)
    os.wait()
"""
)
APPEND_UNTIL_FULL = """
import resource, sys
from treadle.core.errors import StoreError
from treadle.core.store.store import Store
path, session = sys.argv[1:]
with Store.open(path) as store:
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
    try:
        for n in range(1_000_000):
            store.append(session, "note", {"n": n, "noise": str(n) * 100})
    except StoreError as error:
        print(n, error, flush=True)
    # Once there is room again, the same program goes on.
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    print(store.append(session, "note", {}).seq)
"""
START = (
    OPEN
    + """
from treadle.core.records import Task
sys.stdin.readline()
with open_log() as store:
    store.create_session(Task(id="t", kind="fix", project="/home/ada/app", python="python"))
    print(len(store.notices), flush=True)
"""
)

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start() -> Iterator[Start]:
    running: list[subprocess.Popen[str]] = []

    def start(script: str, *args: object) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", script, *map(str, args)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(treadle.__file__).parent.parent,
        )
        running.append(process)
        return process

    yield start
    for process in running:
        process.kill()
        process.communicate()


def integrity(path: Path) -> str:
    connection = sqlite3.connect(path)
    try:
        return str(connection.execute("PRAGMA integrity_check").fetchone()[0])
    finally:
        connection.close()


def test_two_processes_that_append_at_once_leave_no_gap(logs: EventLogs, start: Start) -> None:
    with logs.open() as store:
        session = store.create_session(TASK).id
        writers = [start(APPEND, *logs.arguments, session, 300) for _ in range(2)]
        said = [int(line) for writer in writers for line in writer.communicate()[0].split()]

        assert [writer.returncode for writer in writers] == [0, 0]
        assert sorted(said) == list(range(1, 601))
        assert [e.seq for e in store.events(session)] == list(range(1, 601))


@pytest.mark.parametrize("after", [1, 40, 333])
def test_a_writer_that_is_killed_leaves_a_sound_log_with_all_it_had_logged(
    logs: EventLogs, start: Start, after: int
) -> None:
    with logs.open() as store:
        session = store.create_session(TASK).id
    writer = start(APPEND, *logs.arguments, session, 1_000_000)
    assert writer.stdout is not None
    for _ in range(after):
        last = int(writer.stdout.readline())
    writer.kill()
    last = max([last, *map(int, writer.stdout.read().split("\n")[:-1])])
    writer.wait()

    with logs.open() as store:
        assert store.notices == ()
        seqs = [e.seq for e in store.events(session)]
        assert seqs == list(range(1, len(seqs) + 1))
        assert len(seqs) in (last, last + 1)
        assert store.append(session, "note", {}).seq == len(seqs) + 1
    if logs.server is None:
        assert integrity(logs.places.store) == "ok"


def test_the_lock_of_a_killed_process_is_free_and_its_session_was_interrupted(logs: EventLogs, start: Start) -> None:
    with logs.open() as store:
        session = store.create_session(TASK).id
        holder = start(HOLD, *logs.arguments, session)
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"

        with pytest.raises(StoreBusy, match=f"process {holder.pid}"), store.lock(session):
            pass
        assert not store.interrupted(store.session(session))

        os.kill(holder.pid, signal.SIGKILL)
        holder.wait()
        assert store.interrupted(store.session(session))
        with store.lock(session):
            assert store.is_locked(session)


def test_of_programs_that_find_the_damage_at_once_one_sets_it_aside(tmp_path: Path, start: Start) -> None:
    logs = EventLogs(places_in(tmp_path), server=None)
    logs.places.store.write_bytes(b"garbage" * 1000)
    programs = [start(START, *logs.arguments) for _ in range(3)]

    said = [program.communicate("go\n")[0].strip() for program in programs]

    assert sorted(said) == ["0", "0", "1"]
    assert len(list(logs.places.project_dir.glob("events.db.damaged-*"))) == 1


def test_programs_that_start_the_same_log_at_once_share_it(logs: EventLogs, start: Start) -> None:
    programs = [start(START, *logs.arguments) for _ in range(4)]

    assert [program.communicate("go\n")[0].strip() for program in programs] == ["0"] * 4
    with logs.open() as store:
        assert len(store.sessions()) == 4


def test_a_log_that_another_process_keeps_busy_is_an_error_that_says_so(logs: EventLogs) -> None:
    with logs.open(busy_s=0.2) as store, logs.open() as other:
        session = store.create_session(TASK).id
        with other._back_end.write():
            with pytest.raises(StoreBusy, match=r"kept busy.*0\.2 s"):
                store.append(session, "note", {})
            assert store.last_seq(session) == 0

        assert store.append(session, "note", {}).seq == 1


def test_when_there_is_no_more_room_that_event_is_an_error_and_the_log_stays_sound(
    tmp_path: Path, start: Start
) -> None:
    path = tmp_path / "events.db"
    with Store.open(path) as store:
        session = store.create_session(TASK).id

    full, after = start(APPEND_UNTIL_FULL, path, session).communicate()[0].splitlines()

    logged = int(full.split()[0])
    assert "can't be used" in full
    assert logged > 10
    assert int(after) == logged + 1
    with Store.open(path) as store:
        assert store.notices == ()
        assert [e.seq for e in store.events(session)] == list(range(1, logged + 2))
    assert integrity(path) == "ok"


def in_child(work: Callable[[], None]) -> int:
    """Run `work` in a forked child; the answer is its exit code."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def test_a_forked_child_uses_a_connection_of_its_own(logs: EventLogs) -> None:
    with logs.open() as store:
        session = store.create_session(TASK).id
        parents = store._back_end._connection

        def work() -> None:
            assert store._back_end._connection is None
            for _ in range(50):
                store.append(session, "note", {"by": "child"})
            assert store._back_end._connection is not parents
            store.close()

        assert in_child(work) == 0
        store.append(session, "note", {"by": "parent"})

        assert [e.seq for e in store.events(session)] == list(range(1, 52))
        if logs.server is None:
            assert integrity(logs.places.store) == "ok"


def test_a_child_that_outlives_its_killed_parent_does_not_keep_the_parents_lock(logs: EventLogs, start: Start) -> None:
    with logs.open() as store:
        session = store.create_session(TASK).id
        holder = start(HOLD_AND_FORK, *logs.arguments, session)
        assert holder.stdout is not None
        assert holder.stdout.readline() == "forked\n"
        assert store.is_locked(session)

        holder.kill()
        holder.wait()

        assert not store.is_locked(session)
        said, _ = holder.communicate()
        assert said == "child ends\n"


def test_the_child_of_a_fork_while_another_thread_writes_is_not_stuck(logs: EventLogs) -> None:
    with logs.open() as store:
        session = store.create_session(TASK).id
        ended = threading.Event()

        def write() -> None:
            while not ended.is_set():
                store.append(session, "note", {})

        thread = threading.Thread(target=write)
        thread.start()
        try:
            deadline = time.monotonic() + 60
            for _ in range(10):
                pid = os.fork()
                if pid == 0:
                    store.append(session, "note", {"by": "child"})
                    os._exit(0)
                while os.waitpid(pid, os.WNOHANG) == (0, 0):
                    if time.monotonic() > deadline:
                        os.kill(pid, signal.SIGKILL)
                    time.sleep(0.01)
        finally:
            ended.set()
            thread.join()
        assert time.monotonic() < deadline
        assert sum(e.data == {"by": "child"} for e in store.events(session)) == 10
