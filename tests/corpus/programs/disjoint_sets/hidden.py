import random

import pytest
from subject import DisjointSets


def test_against_sets():
    rng = random.Random(0)
    for _ in range(20):
        n = rng.randint(1, 14)
        sets, model = DisjointSets(range(n)), [{i} for i in range(n)]
        for _ in range(rng.randint(0, 16)):
            a, b = rng.randrange(n), rng.randrange(n)
            first = next(s for s in model if a in s)
            second = next(s for s in model if b in s)
            assert sets.join(a, b) is (first is not second)
            if first is not second:
                model.remove(second)
                first |= second
            assert sets.count == len(model)
            assert sets.size(a) == len(next(s for s in model if a in s))
        for a in range(n):
            for b in range(n):
                assert sets.together(a, b) == any({a, b} <= s for s in model)
            assert sets.find(sets.find(a)) == sets.find(a)
        assert sorted(sets.groups()) == sorted(sorted(s) for s in model)


def test_order_of_groups():
    sets = DisjointSets(range(7))
    for pair in ((6, 5), (5, 4), (1, 2)):
        sets.join(*pair)
    assert sets.groups() == [[4, 5, 6], [1, 2], [0], [3]]
    assert DisjointSets().groups() == []


def test_small_under_large():
    sets = DisjointSets("abcd")
    sets.join("a", "b")
    root = sets.find("a")
    sets.join("c", "b")
    assert sets.find("c") == root
    assert sets.size("d") == 1


def test_find_shortens_the_path():
    sets = DisjointSets("abcd")
    for pair in ("ab", "cd", "ac"):
        sets.join(*pair)
    root = sets.find("d")
    assert sets._parent["d"] == root
    assert set(sets._size) == {root}


def test_add_twice():
    sets = DisjointSets(["x", "x"])
    sets.add("x")
    assert sets.count == 1
    with pytest.raises(KeyError):
        sets.together("x", "y")
