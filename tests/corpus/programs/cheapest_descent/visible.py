import pytest
from subject import carve, check, descent

GRID = [[3, 1, 4], [1, 5, 9], [2, 6, 5]]


def test_descent():
    assert descent(GRID) == (4, [1, 0, 0])


def test_one_row():
    assert descent([[4, 2, 3]]) == (2, [1])


def test_one_column():
    assert descent([[1], [2], [3]]) == (6, [0, 0, 0])


def test_to_the_right():
    assert descent([[1, 9, 9], [9, 1, 9], [9, 9, 1]]) == (3, [0, 1, 2])


def test_ties_go_left():
    assert descent([[1, 1], [1, 1]]) == (2, [0, 0])


def test_carve():
    assert carve(GRID) == [[3, 4], [5, 9], [6, 5]]


def test_bad_grids():
    for grid in ([], [[]], [[1, 2], [3]]):
        with pytest.raises(ValueError):
            check(grid)
