import itertools
import random
from math import cos, pi, sin

import pytest
from subject import bounding_box, contains, counterclockwise, signed_area


def star(rng, n):
    angles = sorted(rng.uniform(0, 2 * pi) for _ in range(n))
    return [(r * cos(a), r * sin(a)) for a in angles for r in [rng.uniform(1, 3)]]


def test_area_moves_and_scales():
    rng = random.Random(0)
    for _ in range(40):
        corners = [(rng.randint(-9, 9), rng.randint(-9, 9)) for _ in range(rng.randint(3, 7))]
        area = signed_area(corners)
        assert signed_area([(x + 7, y - 3) for x, y in corners]) == area
        assert signed_area([(2 * x, 3 * y) for x, y in corners]) == 6 * area
        assert signed_area(corners[1:] + corners[:1]) == area
        assert signed_area(corners[::-1]) == -area
        fan = sum(signed_area([corners[0], a, b]) for a, b in itertools.pairwise(corners[1:]))
        assert fan == area


def test_contains_in_rectangles_and_triangles():
    rng = random.Random(1)
    for _ in range(200):
        x, y = rng.uniform(-1, 6), rng.uniform(-1, 6)
        assert contains([(0, 0), (5, 0), (5, 3), (0, 3)], (x, y)) == (0 < x < 5 and 0 < y < 3)
        assert contains([(0, 5), (0, 0), (5, 0)], (x, y)) == (x > 0 and y > 0 and x + y < 5)


def test_box_holds_all():
    rng = random.Random(2)
    for _ in range(20):
        corners = star(rng, 5)
        (left, low), (right, high) = bounding_box(corners, margin=0.5)
        assert left == min(x for x, _ in corners) - 0.5 and high == max(y for _, y in corners) + 0.5
        assert right == max(x for x, _ in corners) + 0.5 and low == min(y for _, y in corners) - 0.5


def test_counterclockwise_always():
    rng = random.Random(3)
    for _ in range(30):
        corners = star(rng, rng.randint(3, 8))
        copy = list(corners)
        for given in (corners, corners[::-1]):
            ordered = counterclockwise(given)
            assert signed_area(ordered) == pytest.approx(abs(signed_area(corners)))
            assert sorted(ordered) == sorted(corners)
            assert ordered[0] == min(corners, key=lambda p: (p[1], p[0]))
        assert corners == copy


def test_lowest_of_several():
    assert counterclockwise([(4, 0), (4, 4), (0, 4), (0, 0)])[0] == (0, 0)
    with pytest.raises(ValueError, match="three"):
        counterclockwise([(0, 0)])
    assert signed_area([(0, 0), (1, 1), (2, 2)]) == 0


def test_areas_by_hand():
    assert signed_area([(0, 0), (2, 0), (2, 3), (0, 3)]) == 6
    assert signed_area([(0, 0), (0, 2), (2, 0)]) == -2
    assert bounding_box([(1, 2), (3, 5)]) == ((1, 2), (3, 5))
