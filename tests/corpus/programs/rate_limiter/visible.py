import pytest
from subject import SlidingWindow, TokenBucket, backoff


def test_window():
    window = SlidingWindow(2, 10)
    assert [window.allow("a", t) for t in (0, 3, 9, 10, 12)] == [True, True, False, True, False]


def test_keys():
    window = SlidingWindow(1, 10)
    assert window.allow("a", 0)
    assert window.allow("b", 1)
    assert not window.allow("a", 2)


def test_wait():
    window = SlidingWindow(2, 10)
    window.allow("a", 0)
    assert window.wait("a", 1) == 0
    window.allow("a", 4)
    assert window.wait("a", 6) == 4


def test_bad_limits():
    for limit, seconds in ((0, 5), (1, 0)):
        with pytest.raises(ValueError):
            SlidingWindow(limit, seconds)


def test_bucket():
    bucket = TokenBucket(3, 0.5)
    assert [bucket.take(0) for _ in range(4)] == [True, True, True, False]
    assert bucket.take(2)
    assert not bucket.take(3)


def test_bucket_is_never_overfull():
    bucket = TokenBucket(3, 1)
    bucket.take(0, number=2)
    assert bucket.tokens(1) == 2
    assert bucket.tokens(100) == 3
    assert not bucket.take(100, number=4)


def test_backoff():
    assert [backoff(n) for n in (1, 2, 3, 10)] == [1, 2, 4, 60]
    assert backoff(2, first=0.5, factor=3) == 1.5
    with pytest.raises(ValueError):
        backoff(0)
