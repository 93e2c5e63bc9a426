from subject import fence_length, outline, turn, widest

POINTS = [(0, 0), (4, 0), (4, 3), (0, 3), (2, 1), (2, 0)]


def test_turn():
    assert turn((0, 0), (1, 0), (1, 1)) > 0
    assert turn((0, 0), (1, 0), (2, -1)) < 0
    assert turn((0, 0), (1, 1), (3, 3)) == 0


def test_outline():
    assert outline(POINTS) == [(0, 0), (4, 0), (4, 3), (0, 3)]


def test_few_points():
    assert outline([(1, 1)]) == [(1, 1)]
    assert outline([(2, 2), (1, 1), (2, 2)]) == [(1, 1), (2, 2)]
    assert outline([]) == []


def test_on_a_line():
    assert outline([(0, 0), (1, 1), (2, 2), (3, 3)]) == [(0, 0), (3, 3)]


def test_fence_length():
    assert fence_length(POINTS) == 14
    assert fence_length([(0, 0), (3, 4)]) == 10


def test_widest():
    assert widest(POINTS) == ((0, 0), (4, 3))
    assert widest([(1, 1)]) is None
