import itertools
import random
from math import dist

import pytest
from subject import length, point_at, simplify


def walk(rng, n):
    return [(rng.randint(0, 9), rng.randint(0, 9)) for _ in range(n)]


def off(point, a, b):
    if a == b:
        return dist(point, a)
    dx, dy = (b[0] - a[0]) / dist(a, b), (b[1] - a[1]) / dist(a, b)
    along = (point[0] - a[0]) * dx + (point[1] - a[1]) * dy
    return dist(point, (a[0] + along * dx, a[1] + along * dy))


def test_simplified_tracks_are_near():
    rng = random.Random(0)
    for _ in range(60):
        track = [(x, rng.randint(0, 5)) for x in range(rng.randint(1, 9))]
        copy = list(track)
        for tolerance in (0, 0.5, 1, 2, 9):
            kept = simplify(track, tolerance)
            assert kept[0] == track[0] and kept[-1] == track[-1]
            places = [track.index(p) for p in kept]
            assert places == sorted(set(places))
            for start, end in itertools.pairwise(places):
                for point in track[start : end + 1]:
                    assert off(point, track[start], track[end]) <= tolerance + 1e-9
        assert len(simplify(track, 9)) == min(len(track), 2)
        assert track == copy


def test_tolerance_itself_is_near_enough():
    track = [(0, 0), (2, 1), (4, 0)]
    assert simplify(track, 1) == [(0, 0), (4, 0)]
    assert simplify(track, 0.99) == track
    assert simplify(track, 1) is not track
    short = [(0, 0)]
    assert simplify(short, 1) is not short


def test_closed_tracks():
    assert simplify([(0, 0), (3, 4), (0, 0)], 4.9) == [(0, 0), (3, 4), (0, 0)]
    assert simplify([(0, 0), (3, 4), (0, 0)], 5) == [(0, 0), (0, 0)]


def test_points_along():
    rng = random.Random(1)
    for _ in range(40):
        track = walk(rng, rng.randint(1, 6))
        whole = length(track)
        assert whole == pytest.approx(sum(map(dist, track, track[1:])))
        for index in range(len(track)):
            assert point_at(track, length(track[: index + 1])) == pytest.approx(track[index])
        assert point_at(track, whole + 1) == track[-1]
        x, y = point_at(track, whole / 2)
        assert 0 <= x <= 9 and 0 <= y <= 9


def test_standing_still():
    assert point_at([(1, 2), (1, 2)], 0) == (1, 2)
    assert point_at([(1, 2), (1, 2), (3, 2)], 1) == (2, 2)
    assert point_at([(5, 5)], 0) == (5, 5)
    assert length([]) == 0
    with pytest.raises(ValueError, match="empty"):
        point_at([], 0)
