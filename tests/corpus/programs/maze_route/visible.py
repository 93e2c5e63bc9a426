import pytest
from subject import draw, find, shortest_route

MAZE = ["S #E", "  # ", "#   "]


def test_find():
    assert find(MAZE, "E") == (0, 3)
    with pytest.raises(ValueError):
        find(MAZE, "X")


def test_route_around_a_wall():
    assert shortest_route(MAZE) == [(0, 0), (0, 1), (1, 1), (2, 1), (2, 2), (2, 3), (1, 3), (0, 3)]


def test_no_route():
    assert shortest_route(["S#E"]) == []


def test_neighbours():
    assert shortest_route(["SE"]) == [(0, 0), (0, 1)]


def test_takes_the_shorter_way():
    maze = ["S    ", " ### ", " #E  ", "     "]
    assert len(shortest_route(maze)) == 7


def test_draw():
    assert draw(MAZE, shortest_route(MAZE)) == ["S.#E", " .#.", "#..."]
