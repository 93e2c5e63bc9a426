import itertools
import random

import pytest
from subject import carve, check, descent


def all_ways(grid):
    width = len(grid[0])
    for columns in itertools.product(range(width), repeat=len(grid)):
        if all(abs(a - b) <= 1 for a, b in itertools.pairwise(columns)):
            yield sum(row[c] for row, c in zip(grid, columns, strict=True)), columns[::-1]


def test_against_all_ways():
    rng = random.Random(0)
    for _ in range(50):
        width, height = rng.randint(1, 4), rng.randint(1, 5)
        grid = [[rng.randint(0, 4) for _ in range(width)] for _ in range(height)]
        copy = [row.copy() for row in grid]
        least, columns = descent(grid)
        expected, way = min(all_ways(grid))
        assert least == expected
        assert tuple(columns[::-1]) == way
        carved = carve(grid)
        assert [len(row) for row in carved] == [width - 1] * height
        assert sum(map(sum, grid)) - sum(map(sum, carved)) == least
        assert grid == copy


def test_negative_efforts():
    assert descent([[0, 0, 0], [0, 0, -5], [-1, 0, 0]]) == (-5, [1, 2, 1])


def test_far_jump_is_not_allowed():
    assert descent([[0, 9, 9, 9], [9, 9, 9, 0]]) == (9, [0, 0])
    assert descent([[9, 9, 9, 0], [0, 9, 9, 9]]) == (9, [0, 0])


def test_carve_to_nothing():
    assert carve([[1], [2]]) == [[], []]
    with pytest.raises(ValueError, match="empty"):
        carve([[], []])


def test_messages():
    with pytest.raises(ValueError, match="different"):
        descent([[1], [1, 2]])
    with pytest.raises(ValueError, match="empty grid"):
        descent([])
    assert check([[0]]) is None
