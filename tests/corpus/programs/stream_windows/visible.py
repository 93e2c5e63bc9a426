from itertools import count, islice

import pytest
from subject import averages, chunks, round_robin, split_when, windows


def test_chunks():
    assert list(chunks("abcdefg", 3)) == [["a", "b", "c"], ["d", "e", "f"], ["g"]]
    assert list(chunks("abcd", 3, partial=False)) == [["a", "b", "c"]]
    with pytest.raises(ValueError):
        list(chunks([], 0))


def test_endless():
    assert list(islice(chunks(count(), 2), 2)) == [[0, 1], [2, 3]]


def test_windows():
    assert list(windows([1, 2, 3, 4], 2)) == [(1, 2), (2, 3), (3, 4)]
    assert list(windows([1, 2], 3)) == []


def test_step():
    assert list(windows(range(7), 3, step=2)) == [(0, 1, 2), (2, 3, 4), (4, 5, 6)]


def test_split_when():
    assert list(split_when([1, 2, 4, 5, 9], lambda a, b: b - a > 1)) == [[1, 2], [4, 5], [9]]


def test_round_robin():
    assert "".join(round_robin("abc", "1", "xy")) == "a1xbyc"


def test_averages():
    assert list(averages([2, 4, 6, 8], 2)) == [2, 3, 5, 7]
