from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.skills.token_bucket import TokenBucket


class Time:
    def __init__(self) -> None:
        self.now = 50.0
        self.slept: list[float] = []

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def bucket_of(rate: float, capacity: float) -> tuple[TokenBucket, Time]:
    time = Time()
    return TokenBucket(rate, capacity, clock=time.clock, sleep=time.sleep), time


def test_a_full_bucket_serves_a_burst_and_then_nothing() -> None:
    bucket, _ = bucket_of(1, 3)
    assert [bucket.try_take() for _ in range(4)] == [True, True, True, False]


def test_a_refusal_takes_nothing() -> None:
    bucket, _ = bucket_of(1, 3)
    assert bucket.try_take(2)
    assert not bucket.try_take(2)
    assert bucket.try_take(1)


def test_it_never_holds_more_than_its_capacity() -> None:
    bucket, time = bucket_of(1, 3)
    time.now += 1000
    assert [bucket.try_take() for _ in range(4)] == [True, True, True, False]


def test_take_sleeps_once_for_exactly_what_is_missing() -> None:
    bucket, time = bucket_of(2, 4)
    assert bucket.take(4)
    assert bucket.take(3)
    assert time.slept == [1.5]


def test_those_who_wait_are_served_in_the_order_they_asked() -> None:
    time = Time()
    waits: list[float] = []
    bucket = TokenBucket(1, 1, clock=time.clock, sleep=waits.append)
    for _ in range(4):
        assert bucket.take()
    assert waits == [1, 2, 3], "each waits behind those before it, though nobody's clock has moved"


def test_a_wait_longer_than_the_timeout_is_refused_at_once_and_takes_nothing() -> None:
    bucket, time = bucket_of(1, 2)
    assert bucket.take(2)
    assert not bucket.take(2, timeout_s=1.9)
    assert time.slept == []
    assert bucket.take(2, timeout_s=2.0)
    assert time.slept == [2]


def test_wait_s_says_what_take_would_sleep_and_takes_nothing() -> None:
    bucket, _ = bucket_of(4, 4)
    assert bucket.wait_s(4) == 0
    assert bucket.try_take(4)
    assert bucket.wait_s() == bucket.wait_s() == 0.25


def test_a_clock_that_goes_back_earns_nothing_twice() -> None:
    bucket, time = bucket_of(1, 5)
    assert bucket.try_take(5)
    time.now -= 40
    assert not bucket.try_take()
    time.now += 40
    assert not bucket.try_take()
    time.now += 1
    assert bucket.try_take()


@pytest.mark.parametrize("tokens", [0, -1, 3.5, float("nan")])
def test_an_amount_that_can_never_be_served_is_refused(tokens: float) -> None:
    bucket, _ = bucket_of(1, 3)
    for ask in (bucket.take, bucket.try_take, bucket.wait_s):
        with pytest.raises(ValueError):
            ask(tokens)


@pytest.mark.parametrize(("rate", "capacity"), [(0, 1), (1, 0), (-1, 1), (float("nan"), 1)])
def test_a_rate_or_capacity_not_above_zero_is_refused(rate: float, capacity: float) -> None:
    with pytest.raises(ValueError):
        TokenBucket(rate, capacity)


steps = st.lists(st.tuples(st.integers(0, 8), st.integers(1, 4)), min_size=1, max_size=60)


@given(st.integers(1, 5), st.integers(4, 10), steps)
def test_no_span_of_time_grants_more_than_capacity_and_rate_allow(
    rate: int, capacity: int, asked: list[tuple[int, int]]
) -> None:
    bucket, time = bucket_of(rate, capacity)
    granted: list[tuple[float, int]] = []
    for wait, tokens in asked:
        time.now += wait / 4
        if bucket.try_take(tokens):
            granted.append((time.now, tokens))
    for first, (start, _) in enumerate(granted):
        total = 0
        for now, tokens in granted[first:]:
            total += tokens
            assert total <= capacity + rate * (now - start) + 1e-6


def test_threads_share_one_balance() -> None:
    bucket = TokenBucket(1e-9, 100)
    taken: list[int] = []

    def work() -> None:
        taken.extend(1 for _ in range(100) if bucket.try_take())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(taken) == 100
