import pytest
from subject import count_between, find_rotated, first_at_least, nearest

VALUES = [1, 3, 3, 5, 8]


def test_first_at_least():
    assert first_at_least(VALUES, 3) == 1
    assert first_at_least(VALUES, 4) == 3
    assert first_at_least(VALUES, 9) == 5
    assert first_at_least([], 1) == 0


def test_count_between():
    assert count_between(VALUES, 3, 8) == 3
    assert count_between(VALUES, 0, 100) == 5


def test_bounds_in_order():
    with pytest.raises(ValueError):
        count_between(VALUES, 5, 3)


def test_nearest():
    assert nearest(VALUES, 6) == 5
    assert nearest(VALUES, 7) == 8
    assert nearest(VALUES, 4) == 3


def test_nearest_at_the_ends():
    assert nearest(VALUES, -10) == 1
    assert nearest(VALUES, 50) == 8
    with pytest.raises(ValueError):
        nearest([], 1)


def test_rotated():
    values = [6, 8, 9, 1, 2, 4]
    assert [find_rotated(values, v) for v in values] == [0, 1, 2, 3, 4, 5]
    assert find_rotated(values, 5) == -1
