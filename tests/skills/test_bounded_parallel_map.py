from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treadle.skills.bounded_parallel_map import bounded_parallel_map


@settings(max_examples=30)
@given(st.lists(st.integers(), max_size=30), st.integers(1, 4), st.integers(0, 5))
def test_it_gives_what_map_gives(items: list[int], workers: int, more: int) -> None:
    mapped = bounded_parallel_map(lambda n: n * 2, items, workers=workers, ahead=workers + more)
    assert list(mapped) == [n * 2 for n in items]


def test_the_workers_run_at_the_same_time_and_no_more_of_them() -> None:
    barrier = threading.Barrier(3)
    lock = threading.Lock()
    running = most = 0

    def meet(_: int) -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        barrier.wait(timeout=60)  # broken, and so an error, unless three calls are in it at once
        with lock:
            running -= 1

    list(bounded_parallel_map(meet, range(9), workers=3))
    assert most == 3


def test_it_reads_no_further_ahead_than_its_bound() -> None:
    read = itertools.count()
    results = bounded_parallel_map(lambda n: n, read, workers=2, ahead=5)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    results.close()  # type: ignore[attr-defined]
    assert next(read) == 5 + 2


def test_nothing_is_read_or_started_before_the_first_result_is_asked_for() -> None:
    read = itertools.count()
    bounded_parallel_map(lambda n: n, read, workers=2)
    assert next(read) == 0


def test_the_first_error_in_order_comes_after_the_results_before_it() -> None:
    second_failed = threading.Event()

    def work(n: int) -> int:
        if n == 1:
            second_failed.wait(timeout=60)
            raise KeyError("one")
        if n == 2:
            second_failed.set()
            raise ValueError("two")
        return n

    results = bounded_parallel_map(work, range(3), workers=3)
    assert next(results) == 0
    with pytest.raises(KeyError, match="one"):
        next(results)


def test_closing_early_drops_what_has_not_begun_and_waits_for_what_runs() -> None:
    begun: list[int] = []
    finished: list[int] = []
    release = threading.Event()

    def work(n: int) -> int:
        begun.append(n)
        if n > 0:
            release.wait(timeout=60)
        finished.append(n)
        return n

    results = bounded_parallel_map(work, range(100), workers=1, ahead=10)
    assert next(results) == 0
    timer = threading.Timer(0.05, release.set)
    timer.start()
    results.close()  # type: ignore[attr-defined]
    timer.join()
    assert begun == finished
    assert len(begun) <= 2


def test_an_error_of_the_input_passes_through() -> None:
    def broken() -> Iterator[int]:
        yield 1
        raise OSError("torn")

    with pytest.raises(OSError, match="torn"):
        list(bounded_parallel_map(lambda n: n, broken(), workers=2))


def test_no_thread_is_left_behind() -> None:
    before = set(threading.enumerate())
    list(bounded_parallel_map(lambda n: n, range(10), workers=4))
    assert set(threading.enumerate()) <= before


@pytest.mark.parametrize(("workers", "ahead"), [(0, None), (-1, None), (2, 1), (1, 0)])
def test_wrong_bounds_are_refused_at_once(workers: int, ahead: int | None) -> None:
    with pytest.raises(ValueError):
        bounded_parallel_map(lambda n: n, [1], workers=workers, ahead=ahead)
