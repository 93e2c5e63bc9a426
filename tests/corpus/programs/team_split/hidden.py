import itertools
import random

import pytest
from subject import rivals_of, split


def possible(people, pairs):
    for sides in itertools.product((0, 1), repeat=len(people)):
        side = dict(zip(people, sides, strict=True))
        if all(side[a] != side[b] for a, b in pairs):
            return True
    return False


def test_random_pairs():
    rng = random.Random(0)
    for _ in range(60):
        people = [f"p{i}" for i in range(rng.randint(2, 6))]
        pairs = [tuple(rng.sample(people, 2)) for _ in range(rng.randint(0, 6))]
        result = split(people, pairs)
        assert (result is not None) == possible(people, pairs)
        if result is None:
            continue
        first, second = result
        assert sorted(first + second) == sorted(people)
        assert first == sorted(first) and second == sorted(second)
        assert all((a in first) != (b in first) for a, b in pairs)
        assert people[0] in first


def test_long_rings():
    ring = list(range(7))
    assert split(ring, list(zip(ring, ring[1:] + ring[:1], strict=True))) is None
    ring = list(range(8))
    assert split(ring, list(zip(ring, ring[1:] + ring[:1], strict=True))) == ([0, 2, 4, 6], [1, 3, 5, 7])


def test_own_rival():
    assert split("ab", [("a", "a")]) is None


def test_later_group_cannot_be_split():
    assert split("vwxyz", [("v", "w"), ("x", "y"), ("y", "z"), ("z", "x")]) is None


def test_nobody():
    assert split([], []) == ([], [])
    assert rivals_of([]) == {}
    with pytest.raises(KeyError, match="q"):
        split("ab", [("q", "a")])
    assert split("ab", [("a", "b"), ("b", "a")]) == (["a"], ["b"])
