import pytest
from subject import bounding_box, contains, counterclockwise, signed_area

SQUARE = [(0, 0), (4, 0), (4, 4), (0, 4)]


def test_area():
    assert signed_area(SQUARE) == 16
    assert signed_area([(0, 0), (6, 0), (0, 3)]) == 9


def test_clockwise_is_negative():
    assert signed_area(SQUARE[::-1]) == -16


def test_too_few_corners():
    with pytest.raises(ValueError):
        signed_area([(0, 0), (1, 1)])


def test_contains():
    assert contains(SQUARE, (1, 3))
    assert not contains(SQUARE, (5, 1))
    assert not contains(SQUARE, (1, -1))


def test_contains_in_a_notch():
    notched = [(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)]
    assert not contains(notched, (2, 3))
    assert contains(notched, (0.5, 2))


def test_box():
    assert bounding_box([(1, 5), (3, 2), (-2, 4)]) == ((-2, 2), (3, 5))
    assert bounding_box([(0, 0), (1, 1)], margin=1) == ((-1, -1), (2, 2))


def test_counterclockwise():
    assert counterclockwise([(0, 4), (4, 4), (4, 0), (0, 0)]) == SQUARE
