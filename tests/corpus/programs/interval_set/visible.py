import pytest
from subject import IntervalSet


def of(*pairs):
    numbers = IntervalSet()
    for start, end in pairs:
        numbers.add(start, end)
    return numbers


def test_apart():
    assert list(of((5, 8), (1, 3))) == [(1, 3), (5, 8)]


def test_overlap():
    assert list(of((1, 5), (3, 9), (20, 21))) == [(1, 9), (20, 21)]


def test_touching():
    assert list(of((1, 3), (5, 7), (3, 5))) == [(1, 7)]


def test_within():
    assert list(of((1, 10), (3, 4))) == [(1, 10)]
    assert list(of((3, 4), (1, 10))) == [(1, 10)]


def test_contains():
    numbers = of((1, 3), (5, 8))
    assert [n for n in range(10) if n in numbers] == [1, 2, 5, 6, 7]
    assert len(numbers) == 5


def test_bad_and_empty():
    with pytest.raises(ValueError):
        of((3, 1))
    assert list(of((2, 2))) == []


def test_remove():
    numbers = of((1, 10), (20, 30))
    numbers.remove(4, 6)
    numbers.remove(25, 99)
    assert list(numbers) == [(1, 4), (6, 10), (20, 25)]


def test_gaps():
    assert of((2, 4), (6, 8)).gaps(0, 10) == [(0, 2), (4, 6), (8, 10)]
    assert of((2, 4)).gaps(3, 4) == []
