import pytest
from subject import Thing, greedy, load, pack

THINGS = [Thing("tent", 5, 10), Thing("stove", 4, 40), Thing("rope", 6, 30), Thing("map", 3, 50)]


def test_pack():
    assert pack(THINGS, 10) == ["stove", "map"]


def test_better_than_greedy():
    things = [Thing("gold", 3, 9), Thing("silver", 2, 5), Thing("tin", 2, 5)]
    assert pack(things, 4) == ["silver", "tin"]
    assert greedy(things, 4) == ["gold"]


def test_all_fit():
    assert pack(THINGS, 18) == ["tent", "stove", "rope", "map"]


def test_nothing_fits():
    assert pack(THINGS, 2) == []
    assert pack([], 5) == []


def test_ties():
    assert pack([Thing("a", 1, 1), Thing("b", 1, 1)], 1) == ["a"]


def test_load():
    assert load(THINGS, ["map", "tent"]) == (8, 60)
    with pytest.raises(KeyError):
        load(THINGS, ["axe"])


def test_greedy():
    assert greedy(THINGS, 9) == ["map", "stove"]
    assert greedy(THINGS, 13) == ["map", "stove", "rope"]
