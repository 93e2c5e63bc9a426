import itertools
import random

from subject import largest_gain, longest_rise, streaks


def longest(values):
    for n in range(len(values), 0, -1):
        for choice in itertools.combinations(values, n):
            if all(a < b for a, b in itertools.pairwise(choice)):
                return n
    return 0


def is_within(part, values):
    rest = iter(values)
    return all(any(value == other for other in rest) for value in part)


def test_random_values():
    rng = random.Random(0)
    for _ in range(80):
        values = [rng.randint(-5, 5) for _ in range(rng.randint(0, 8))]
        rise = longest_rise(values)
        assert len(rise) == longest(values)
        assert all(a < b for a, b in itertools.pairwise(rise))
        assert is_within(rise, values)
        gains = [b - a for a, b in itertools.combinations(values, 2)]
        assert largest_gain(values) == max([0, *gains])
        found = streaks(values, 1)
        assert [i for s, e in found for i in range(s, e)] == list(range(len(values)))
        for start, end in found:
            assert all(values[i] < values[i + 1] for i in range(start, end - 1))
            assert start == 0 or values[start] <= values[start - 1]
        for shortest in (2, 3):
            assert streaks(values, shortest) == [(s, e) for s, e in found if e - s >= shortest]


def test_edges():
    assert longest_rise([1]) == [1]
    assert streaks([1]) == []
    assert streaks([1], 1) == [(0, 1)]
    assert streaks([1, 1, 2]) == [(1, 3)]
    assert largest_gain([]) == 0
    assert largest_gain([4]) == 0


def test_negative_values():
    assert largest_gain([-5, -8, -2]) == 6
    assert longest_rise([-1, -3, -2]) == [-3, -2]
    assert largest_gain([0, -1, 3]) == 4
