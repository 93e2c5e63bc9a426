import pytest
from subject import Board, IllegalMove


def played(*moves, **options):
    board = Board(**options)
    for row, column in moves:
        board.play(row, column)
    return board


def test_turns():
    board = played((0, 0))
    assert board.turn == "O"
    board.play(1, 1)
    assert board.turn == "X"


def test_row_wins():
    board = played((0, 0), (1, 0), (0, 1), (1, 1))
    assert board.winner() is None
    assert board.play(0, 2) == "X"


def test_diagonals():
    assert played((0, 0), (0, 1), (1, 1), (0, 2), (2, 2)).winner() == "X"
    assert played((0, 0), (0, 2), (0, 1), (1, 1), (2, 2), (2, 0)).winner() == "O"


def test_illegal():
    board = played((0, 0))
    for cell in ((0, 0), (3, 0), (0, -1)):
        with pytest.raises(IllegalMove):
            board.play(*cell)
    assert board.turn == "O"


def test_over():
    board = played((0, 0), (1, 0), (0, 1), (1, 1), (0, 2))
    with pytest.raises(IllegalMove):
        board.play(2, 2)


def test_draw():
    board = played((0, 0), (0, 1), (0, 2), (1, 1), (1, 0), (1, 2), (2, 1), (2, 0), (2, 2))
    assert board.is_draw()
    assert not Board().is_draw()


def test_threats():
    board = played((0, 0), (2, 2), (0, 1), (1, 1))
    assert board.threats("X") == [(0, 2)]
    assert board.threats("O") == []


def test_text_and_size():
    assert str(played((0, 0), (1, 3), size=4)) == "X...\n...O\n....\n...."
    assert len(list(Board().lines())) == 8
