"""When a pool starts another server: for jobs that wait longer than it takes, and for no others."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from treadle.sandbox import workers
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
    """Two workers, one of which has been started and works."""

    def __init__(self, clock: Clock, threads: ThreadPoolExecutor) -> None:
        self.clock = clock
        self.started: list[Any] = []
        self.workers = Workers(2, self.start)
        self._threads = threads
        self.busy = self.workers.take()

    def start(self, cancel: threading.Event | None) -> Any:
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
    pool.clock.now += START_S / 2
    pool.workers.give_back(pool.busy)
    assert asked.result(60) is pool.busy
    assert len(pool.started) == 1


def test_a_long_job_is_waited_for_no_longer_than_a_start(pool: Pool) -> None:
    asked = pool.ask()
    assert waits(asked)
    pool.clock.now += START_S
    assert asked.result(60) is pool.started[1]


def test_many_short_jobs_together_are_worth_a_start(pool: Pool) -> None:
    for _ in range(3):
        asked = pool.ask()
        assert waits(asked)
        pool.clock.now += START_S / 3
        pool.workers.give_back(pool.busy)
        assert asked.result(60) is pool.busy
    assert pool.ask().result(60) is pool.started[1]
