import pytest
from subject import length, point_at, simplify

TRACK = [(0, 0), (3, 4), (3, 10)]


def test_length():
    assert length(TRACK) == 11
    assert length([(1, 1)]) == 0


def test_simplify_straight():
    assert simplify([(0, 0), (1, 0), (2, 0), (3, 0)], 0.1) == [(0, 0), (3, 0)]


def test_simplify_keeps_corners():
    track = [(0, 0), (5, 0.2), (10, 0), (10, 5), (10, 10)]
    assert simplify(track, 1) == [(0, 0), (10, 0), (10, 10)]


def test_simplify_small():
    assert simplify([(0, 0), (1, 5)], 100) == [(0, 0), (1, 5)]
    assert simplify([], 1) == []


def test_simplify_round_trip():
    assert simplify([(0, 0), (0, 6), (0, 0)], 1) == [(0, 0), (0, 6), (0, 0)]


def test_point_at():
    assert point_at(TRACK, 2.5) == (1.5, 2)
    assert point_at(TRACK, 8) == (3, 7)


def test_point_beyond_the_ends():
    assert point_at(TRACK, -3) == (0, 0)
    assert point_at(TRACK, 50) == (3, 10)
    with pytest.raises(ValueError):
        point_at([], 1)
