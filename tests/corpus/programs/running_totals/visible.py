import pytest
from subject import RunningTotals


def totals():
    return RunningTotals([3, 1, 4, 1, 5, 9, 2])


def test_total():
    assert totals().total() == 25
    assert totals().total(2, 5) == 10
    assert totals().total(5, 2) == 0


def test_before():
    assert totals().before(3) == 8
    assert totals().before(0) == 0
    assert totals().before(99) == 25


def test_add():
    numbers = totals()
    numbers.add(1, 10)
    assert numbers[1] == 11
    assert numbers.total(0, 2) == 14


def test_set():
    numbers = totals()
    numbers[4] = 0
    numbers[-1] = 7
    assert numbers.total(4) == 16
    assert len(numbers) == 7


def test_no_such_place():
    with pytest.raises(IndexError):
        totals().add(7, 1)


def test_reach():
    assert totals().reach(8) == 2
    assert totals().reach(9) == 3
    assert totals().reach(26) is None
