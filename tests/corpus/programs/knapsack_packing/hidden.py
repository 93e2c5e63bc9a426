import itertools
import random

import pytest
from subject import Thing, greedy, load, pack


def best_value(things, limit):
    choices = (c for n in range(len(things) + 1) for c in itertools.combinations(things, n))
    return max(sum(t.value for t in c) for c in choices if sum(t.weight for t in c) <= limit)


def test_against_all_choices():
    rng = random.Random(0)
    for _ in range(50):
        things = [Thing(f"t{i}", rng.randint(1, 6), rng.randint(1, 9)) for i in range(rng.randint(0, 6))]
        limit = rng.randint(0, 15)
        names = pack(things, limit)
        weight, value = load(things, names)
        assert weight <= limit
        assert value == best_value(things, limit)
        assert names == [t.name for t in things if t.name in names]
        quick = greedy(things, limit)
        assert len(set(quick)) == len(quick)
        assert load(things, quick)[0] <= limit
        rest = limit - load(things, quick)[0]
        assert all(t.weight > rest for t in things if t.name not in quick)


def test_exact_fit():
    assert pack([Thing("a", 5, 1)], 5) == ["a"]
    assert pack([Thing("a", 5, 1)], 4) == []
    assert greedy([Thing("a", 5, 1)], 5) == ["a"]


def test_each_thing_once():
    assert pack([Thing("a", 2, 5)], 10) == ["a"]
    assert load([], []) == (0, 0)


def test_worthless_things_stay():
    assert pack([Thing("stone", 1, 0), Thing("pen", 1, 2)], 5) == ["pen"]
    assert greedy([Thing("heavy", 9, 9), Thing("light", 1, 2)], 10) == ["light", "heavy"]
    with pytest.raises(KeyError, match="b"):
        load([Thing("a", 1, 1)], ["a", "b"])
