import random

import pytest
from subject import SlidingWindow, TokenBucket, backoff


def test_windows_against_all_times():
    rng = random.Random(0)
    for _ in range(40):
        limit, seconds = rng.randint(1, 4), rng.randint(1, 10)
        window, done, now = SlidingWindow(limit, seconds), {"a": [], "b": []}, 0
        for _ in range(40):
            now += rng.randint(0, 3)
            key = rng.choice("ab")
            recent = [t for t in done[key] if t > now - seconds]
            expected = len(recent) < limit
            wait = window.wait(key, now)
            assert wait == (0 if expected else recent[0] + seconds - now)
            assert window.allow(key, now) is expected
            if expected:
                done[key].append(now)
            else:
                assert wait > 0


def test_buckets_against_steps():
    rng = random.Random(1)
    for _ in range(40):
        capacity, rate = rng.randint(1, 6), rng.choice([1, 2, 3])
        bucket, tokens, now = TokenBucket(capacity, rate, now=5), capacity, 5
        for _ in range(30):
            step = rng.randint(0, 2)
            now += step
            tokens = min(capacity, tokens + step * rate)
            number = rng.randint(0, 3)
            assert bucket.take(now, number) is (tokens >= number)
            if tokens >= number:
                tokens -= number
            assert bucket.tokens(now) == tokens


def test_time_going_back():
    bucket = TokenBucket(10, 1)
    bucket.take(10, 10)
    assert bucket.tokens(5) == 0
    assert bucket.tokens(10) == 0
    assert bucket.tokens(12) == 2


def test_borders():
    window = SlidingWindow(1, 5)
    assert window.allow("a", 0)
    assert not window.allow("a", 4.999)
    assert window.allow("a", 5)
    assert window.wait("a", 9) == 1
    assert window.wait("new", 9) == 0
    with pytest.raises(ValueError, match="above zero"):
        SlidingWindow(1, -1)
    with pytest.raises(ValueError):
        SlidingWindow(-1, 1)


def test_backoffs():
    for attempt in range(1, 20):
        assert backoff(attempt) == min(2 ** (attempt - 1), 60)
        assert backoff(attempt, 3, 1) == 3
        assert backoff(attempt, longest=5) == min(2 ** (attempt - 1), 5)
    for attempt in (0, -3):
        with pytest.raises(ValueError, match="from 1"):
            backoff(attempt)


def test_one_token_by_default():
    bucket = TokenBucket(2, 1)
    assert bucket.take(0)
    assert bucket.tokens(0) == 1
    with pytest.raises(ValueError):
        SlidingWindow(1, 0)
