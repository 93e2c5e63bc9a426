import random
from bisect import bisect_left

import pytest
from subject import count_between, find_rotated, first_at_least, nearest


def test_random_lists():
    rng = random.Random(0)
    for _ in range(60):
        values = sorted(rng.randint(-9, 9) for _ in range(rng.randint(0, 9)))
        for bound in range(-11, 12):
            assert first_at_least(values, bound) == bisect_left(values, bound)
            if values:
                assert nearest(values, bound) == min(values, key=lambda v: (abs(v - bound), v))
        low = rng.randint(-11, 11)
        high = rng.randint(low, 12)
        assert count_between(values, low, high) == sum(low <= v < high for v in values)


def test_all_rotations():
    for n in range(8):
        values = list(range(0, 2 * n, 2))
        for turn in range(max(n, 1)):
            turned = values[turn:] + values[:turn]
            for target in range(-1, 2 * n + 1):
                expected = turned.index(target) if target in turned else -1
                assert find_rotated(turned, target) == expected


def test_messages():
    with pytest.raises(ValueError, match="2 is below 4"):
        count_between([], 4, 2)
    with pytest.raises(ValueError, match="no values"):
        nearest((), 0)


def test_edges():
    assert count_between([1, 2, 3], 2, 2) == 0
    assert count_between([2, 2], 2, 2.5) == 2
    assert nearest((5,), 7) == 5
    assert nearest([1.0, 2.0], 1.6) == 2.0
    assert find_rotated([], 1) == -1
