import itertools
import random

import pytest
from subject import NoRoute, cheapest, road_map


def all_costs(roads, names):
    infinite = float("inf")
    cost = {(a, b): 0 if a == b else infinite for a in names for b in names}
    for a, b, toll in roads:
        cost[a, b] = min(cost[a, b], toll)
    for m in names:
        for a in names:
            for b in names:
                cost[a, b] = min(cost[a, b], cost[a, m] + cost[m, b])
    return cost


def test_against_all_pairs():
    rng = random.Random(0)
    names = "ABCDEF"
    for round_number in range(15):
        one_way = round_number % 2 == 0
        roads = [(*rng.sample(names, 2), rng.randint(0, 9)) for _ in range(rng.randint(1, 10))]
        directed = roads if one_way else roads + [(b, a, toll) for a, b, toll in roads]
        expected = all_costs(directed, names)
        towns = road_map(roads, one_way=one_way)
        for a in names:
            for b in names:
                if expected[a, b] == float("inf"):
                    with pytest.raises(NoRoute):
                        cheapest(towns, a, b)
                    continue
                cost, way = cheapest(towns, a, b)
                assert cost == expected[a, b]
                assert way[0] == a and way[-1] == b
                assert len(set(way)) == len(way)
                assert sum(towns[x][y] for x, y in itertools.pairwise(way)) == cost


def test_negative_toll():
    with pytest.raises(ValueError, match="negative"):
        road_map([("A", "B", -1)])
    assert road_map([("A", "B", 0)]) == {"A": {"B": 0}, "B": {"A": 0}}


def test_one_way_cannot_be_driven_back():
    towns = road_map([("A", "B", 1), ("B", "C", 1)], one_way=True)
    assert cheapest(towns, "A", "C") == (2, ["A", "B", "C"])
    with pytest.raises(NoRoute, match="from C to A"):
        cheapest(towns, "C", "A")


def test_unknown_town():
    with pytest.raises(NoRoute):
        cheapest({}, "A", "B")
    assert cheapest({}, "A", "A") == (0, ["A"])
    assert type(road_map([])) is dict


def test_repeated_roads():
    assert road_map([("A", "B", 2), ("A", "B", 7)], one_way=True) == {"A": {"B": 2}, "B": {}}
    assert road_map([("A", "B", 7), ("A", "B", 2)], one_way=True)["A"] == {"B": 2}
