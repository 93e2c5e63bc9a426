import pytest
from subject import NoRoute, cheapest, road_map

ROADS = [("A", "B", 4), ("A", "C", 1), ("C", "B", 2), ("B", "D", 5), ("E", "F", 1)]


def test_road_map_goes_both_ways():
    towns = road_map(ROADS)
    assert towns["A"] == {"B": 4, "C": 1}
    assert towns["D"] == {"B": 5}


def test_detour_is_cheaper():
    assert cheapest(road_map(ROADS), "A", "B") == (3, ["A", "C", "B"])


def test_long_way():
    assert cheapest(road_map(ROADS), "D", "A") == (8, ["D", "B", "C", "A"])


def test_same_town():
    assert cheapest(road_map(ROADS), "A", "A") == (0, ["A"])


def test_no_route():
    with pytest.raises(NoRoute):
        cheapest(road_map(ROADS), "A", "F")


def test_one_way():
    towns = road_map([("A", "B", 1)], one_way=True)
    assert towns == {"A": {"B": 1}, "B": {}}


def test_cheaper_of_two_roads():
    assert road_map([("A", "B", 5), ("B", "A", 3)]) == {"A": {"B": 3}, "B": {"A": 3}}
