"""When a pool starts another server: for jobs that wait longer than it takes, and for no others."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from treadle.sandbox import workers
from treadle.sandbox.server_process import ServerDied
from treadle.sandbox.workers import Workers

START_S = 10.0


class Clock:
    """Time passes when a test says so, and at the start of a server."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


class Server:
    def is_usable(self) -> bool:
        return True

    def close(self) -> None:
        pass


class Pool:
    """Two workers, one of which has been started and works; the next one starts when `may_start` is set, or fails."""

    def __init__(self, clock: Clock, threads: ThreadPoolExecutor) -> None:
        self.clock = clock
        self.started: list[Any] = []
        self.may_start = threading.Event()
        self.may_start.set()
        self.fails = False
        self.workers = Workers(2, self.start)
        self._threads = threads
        self.busy = self.workers.take()

    def start(self, cancel: threading.Event | None) -> Any:
        assert self.may_start.wait(60)
        if self.fails or (cancel is not None and cancel.is_set()):
            raise ServerDied("it can't")
        self.clock.now += START_S
        self.started.append(Server())
        return self.started[-1]

    def ask(self) -> Future[Any]:
        """One more job asks for a server."""
        return self._threads.submit(self.workers.take, threading.Event())


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Any:
    clock = Clock()
    monkeypatch.setattr(workers, "time", clock)
    with ThreadPoolExecutor() as threads:
        made = Pool(clock, threads)
        yield made
        clock.now += 1000 * START_S  # nobody waits any more, whatever a test has left behind


def waits(asked: Future[Any]) -> bool:
    """Whether it has no server, long after it asked."""
    try:
        asked.result(0.2)
    except TimeoutError:
        return True
    return False


def test_a_short_job_is_waited_for_instead_of_starting_another_server(pool: Pool) -> None:
    asked = pool.ask()
    assert waits(asked)
    pool.clock.now += START_S / 3
    pool.workers.give_back(pool.busy)
    assert asked.result(60) is pool.busy
    assert len(pool.started) == 1


def test_a_long_job_is_waited_for_no_longer_than_half_a_start(pool: Pool) -> None:
    asked = pool.ask()
    assert waits(asked)
    pool.clock.now += START_S / 2
    assert asked.result(60) is pool.started[1]


def test_many_short_jobs_together_are_worth_a_start(pool: Pool) -> None:
    for _ in range(2):
        asked = pool.ask()
        assert waits(asked)
        pool.clock.now += START_S / 4
        pool.workers.give_back(pool.busy)
        assert asked.result(60) is pool.busy
    assert pool.ask().result(60) is pool.started[1]


def test_while_a_server_starts_the_one_that_gets_free_is_taken(pool: Pool) -> None:
    pool.may_start.clear()
    pool.clock.now += START_S
    asked, another = pool.ask(), pool.ask()
    assert waits(asked) and waits(another)
    pool.clock.now += START_S
    assert waits(asked), "it starts"
    pool.workers.give_back(pool.busy)
    got = [each for each in (asked, another) if not waits(each)]
    assert [each.result(60) for each in got] == [pool.busy]
    pool.may_start.set()
    assert {asked.result(60), another.result(60)} == {pool.busy, pool.started[1]}


def test_one_that_can_not_be_started_beside_harms_nobody(pool: Pool) -> None:
    pool.fails = True
    asked = pool.ask()
    assert waits(asked)
    pool.clock.now += START_S
    assert waits(asked)
    pool.workers.give_back(pool.busy)
    assert asked.result(60) is pool.busy
    pool.workers.give_back(None)
    with pytest.raises(ServerDied):
        pool.workers.take()


def test_what_failed_once_is_tried_again_later(pool: Pool) -> None:
    pool.fails = True
    asked = pool.ask()
    assert waits(asked)
    pool.clock.now += START_S
    assert waits(asked)
    pool.fails = False
    pool.clock.now += workers._LEAST_S / 2
    assert waits(asked) and len(pool.started) == 1
    pool.clock.now += workers._LEAST_S
    assert asked.result(60) is pool.started[1]


def test_where_there_are_no_more_threads_jobs_get_along(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    asked = pool.ask()
    assert waits(asked)
    monkeypatch.setattr(threading.Thread, "start", refuse)
    pool.clock.now += START_S
    assert waits(asked)
    pool.workers.give_back(pool.busy)
    assert asked.result(60) is pool.busy
    pool.workers.give_back(pool.busy)
    pool.workers.close()


def test_closing_does_not_wait_for_what_only_starts(pool: Pool) -> None:
    pool.may_start.clear()
    asked = pool.ask()
    assert waits(asked)
    pool.clock.now += START_S
    assert waits(asked)
    pool.workers.give_back(pool.busy)
    pool.workers.give_back(asked.result(60))
    closed = ThreadPoolExecutor(1).submit(pool.workers.close)
    assert waits(closed)
    pool.may_start.set()
    closed.result(60)
    assert len(pool.started) == 1, "it was told to end"
