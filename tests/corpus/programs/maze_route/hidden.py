import itertools
import random

import pytest
from subject import draw, find, shortest_route


def distance(maze):
    cells = {(r, c): v for r, line in enumerate(maze) for c, v in enumerate(line) if v != "#"}
    reached = {cell for cell, v in cells.items() if v == "S"}
    end = next(cell for cell, v in cells.items() if v == "E")
    for steps in range(len(cells) + 1):
        if end in reached:
            return steps
        grown = {(r + a, c + b) for r, c in reached for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))}
        reached |= grown & cells.keys()
    return None


def test_random_mazes():
    rng = random.Random(0)
    for _ in range(60):
        width, height = rng.randint(2, 6), rng.randint(1, 6)
        marks = [rng.choice("#   ") for _ in range(width * height)]
        marks[0], marks[1] = "S", "E"
        rng.shuffle(marks)
        text = "".join(marks)
        maze = [text[i : i + width] for i in range(0, len(text), width)]
        route, steps = shortest_route(maze), distance(maze)
        if steps is None:
            assert route == []
            continue
        assert len(route) == steps + 1
        assert route[0] == find(maze, "S") and route[-1] == find(maze, "E")
        assert all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in itertools.pairwise(route))
        assert all(maze[r][c] != "#" for r, c in route)
        assert "".join(draw(maze, route)).count(".") == steps - 1


def test_does_not_wrap_around():
    assert shortest_route(["S # E"]) == []
    assert shortest_route(["S", "#", " ", "E"]) == []


def test_ragged_lines():
    assert shortest_route(["S", "  E"]) == [(0, 0), (1, 0), (1, 1), (1, 2)]


def test_draw_leaves_the_maze_alone():
    maze = ["S E"]
    assert draw(maze, shortest_route(maze)) == ["S.E"]
    assert maze == ["S E"]
    assert draw(maze, []) == ["S E"]


def test_missing_marks():
    with pytest.raises(ValueError, match="no S"):
        shortest_route(["  E"])
    with pytest.raises(ValueError, match="no E"):
        shortest_route(["S "])


def test_up_and_right_come_first():
    assert shortest_route(["S ", " E"]) == [(0, 0), (0, 1), (1, 1)]
    assert shortest_route([" E", "S "]) == [(1, 0), (0, 0), (0, 1)]
    assert shortest_route(["E ", " S"]) == [(1, 1), (0, 1), (0, 0)]
