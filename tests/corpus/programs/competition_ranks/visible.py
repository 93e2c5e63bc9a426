import pytest
from subject import counting_sort, dense_ranks, podium, ranks

SCORES = {"dan": 7, "ann": 9, "eve": 9, "bob": 5, "cat": 7}


def test_counting_sort():
    assert counting_sort([3, 0, 2, 3, 1], 3) == [0, 1, 2, 3, 3]
    assert counting_sort([], 5) == []


def test_out_of_range():
    with pytest.raises(ValueError):
        counting_sort([4], 3)
    with pytest.raises(ValueError):
        counting_sort([-1], 3)


def test_ranks():
    assert ranks(SCORES) == {"ann": 1, "eve": 1, "cat": 3, "dan": 3, "bob": 5}


def test_dense_ranks():
    assert dense_ranks(SCORES) == {"ann": 1, "eve": 1, "cat": 2, "dan": 2, "bob": 3}


def test_podium():
    assert podium(SCORES) == ["1. ann, eve", "3. cat, dan"]


def test_podium_of_three():
    assert podium({"x": 1, "y": 3, "z": 2, "w": 0}) == ["1. y", "2. z", "3. x"]
