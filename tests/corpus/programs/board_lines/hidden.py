import random

import pytest
from subject import Board, IllegalMove


def wins(board, player):
    for r in range(board.size):
        for c in range(board.size):
            for a, b in ((0, 1), (1, 0), (1, 1), (-1, 1)):
                if all(board.cells.get((r + a * n, c + b * n)) == player for n in range(board.needed)):
                    return True
    return False


def test_random_games():
    rng = random.Random(0)
    results = set()
    for _ in range(25):
        size = rng.randint(3, 4)
        board = Board(size, rng.randint(3, size))
        cells = [(r, c) for r in range(size) for c in range(size)]
        rng.shuffle(cells)
        for number, cell in enumerate(cells):
            player = "XO"[number % 2]
            assert board.turn == player
            for who in "XO" if number % 4 == 3 else "":
                expected = []
                for free in sorted(cells[number:]):
                    board.cells[free] = who
                    if wins(board, who):
                        expected.append(free)
                    del board.cells[free]
                assert board.threats(who) == expected
            result = board.play(*cell)
            assert board.cells[cell] == player
            assert result == (player if wins(board, player) else None)
            assert board.winner() == result
            if result:
                break
        results.add(board.winner())
        assert board.is_draw() == (board.winner() is None)
        text = str(board)
        assert [len(line) for line in text.splitlines()] == [size] * size
        assert all(text.splitlines()[r][c] == board.cells.get((r, c), ".") for r, c in cells)
    assert results == {"X", "O", None}


def test_numbers_of_lines():
    for size in range(1, 6):
        for needed in range(2, size + 1):
            places = size - needed + 1
            lines = list(Board(size, needed).lines())
            assert len(lines) == 2 * size * places + 2 * places**2
            assert len({frozenset(line) for line in lines}) == len(lines)
            assert all(len(line) == needed for line in lines)


def test_reasons():
    board = Board()
    board.play(1, 1)
    with pytest.raises(IllegalMove, match="taken"):
        board.play(1, 1)
    for row, column in ((-1, 0), (0, 3), (3, 0), (0, -1)):
        with pytest.raises(IllegalMove, match=f"no cell {row}, {column}"):
            board.play(row, column)
    for cell in ((0, 0), (1, 0), (0, 1)):
        board.play(*cell)
    assert board.threats("O") == [(0, 2)]
    assert board.threats("X") == [(1, 2)]
    board.play(1, 2)
    with pytest.raises(IllegalMove, match="over"):
        board.play(2, 2)
    assert len(board.cells) == 5


def test_boards_are_apart():
    one = Board()
    one.play(0, 0)
    assert Board().cells == {}
    assert str(Board(2, 2)) == "..\n.."
