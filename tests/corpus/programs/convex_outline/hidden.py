import itertools
import random
from math import dist, isclose

from subject import fence_length, outline, turn, widest


def test_random_points():
    rng = random.Random(0)
    for _ in range(60):
        points = [(rng.randint(-4, 4), rng.randint(-4, 4)) for _ in range(rng.randint(1, 9))]
        corners = outline(points)
        assert set(corners) <= set(points)
        assert corners[0] == min(points)
        if len(corners) > 2:
            n = len(corners)
            for i in range(n):
                a, b, c = corners[i], corners[(i + 1) % n], corners[(i + 2) % n]
                assert turn(a, b, c) > 0
                assert all(turn(a, b, p) >= 0 for p in points)
        pairs = list(itertools.combinations(sorted(set(points)), 2))
        if pairs:
            furthest = max(dist(a, b) for a, b in pairs)
            found = widest(points)
            assert found == min(pair for pair in pairs if isclose(dist(*pair), furthest))
        else:
            assert widest(points) is None
        ring = corners[1:] + corners[:1]
        assert isclose(fence_length(points), sum(map(dist, corners, ring)), abs_tol=1e-9)


def test_turn_values():
    assert turn((0, 0), (2, 0), (2, 3)) == 6
    assert turn((1, 1), (3, 1), (3, 4)) == 6
    assert turn((1, 1), (1, 3), (4, 3)) == -6


def test_lines():
    assert outline([(3, 0), (1, 0), (2, 0)]) == [(1, 0), (3, 0)]
    assert outline([(0, 2), (0, 0), (0, 1)]) == [(0, 0), (0, 2)]
    assert fence_length([]) == 0
    assert fence_length([(5, 5)]) == 0


def test_points_are_left_alone():
    points = [(2, 0), (0, 0), (1, 2)]
    assert outline(points) == [(0, 0), (2, 0), (1, 2)]
    assert points == [(2, 0), (0, 0), (1, 2)]
    assert widest([(0, 0), (0, 1), (1, 0), (1, 1)]) == ((0, 0), (1, 1))
