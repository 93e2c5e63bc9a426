from subject import count_islands, multiply, neighbours, shortest_path, transpose

GRID = ["..#.", ".##.", "...."]


def test_neighbours():
    assert sorted(neighbours(GRID, 0, 0)) == [(0, 1), (1, 0)]
    assert sorted(neighbours(GRID, 1, 1)) == [(0, 1), (1, 0), (1, 2), (2, 1)]
    assert sorted(neighbours(GRID, 2, 3)) == [(1, 3), (2, 2)]


def test_path():
    assert shortest_path(GRID, (0, 0), (0, 3)) == 7
    assert shortest_path(GRID, (0, 0), (0, 0)) == 0
    assert shortest_path(["#.", ".#"], (0, 1), (1, 0)) is None


def test_transpose():
    assert transpose([[1, 2, 3], [4, 5, 6]]) == [[1, 4], [2, 5], [3, 6]]


def test_multiply():
    assert multiply([[1, 2, 3], [4, 5, 6]], [[1, 0], [0, 1], [1, 1]]) == [[4, 5], [10, 11]]


def test_islands():
    assert count_islands(["#.#", "##.", "..#"]) == 3
    assert count_islands(["..", ".."]) == 0
    assert count_islands(["###", "#.#", "###"]) == 1
