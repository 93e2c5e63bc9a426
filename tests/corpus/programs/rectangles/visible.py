from subject import Rect

A = Rect(0, 0, 10, 5)


def test_edges():
    rect = Rect(2, 3, 4, 5)
    assert rect.right == 6
    assert rect.bottom == 8


def test_contains():
    assert A.contains(0, 0)
    assert A.contains(9, 4)
    assert not A.contains(10, 2)
    assert not A.contains(3, 5)
    assert not A.contains(-1, 0)


def test_intersection():
    assert A.intersection(Rect(6, 2, 10, 10)) == Rect(6, 2, 4, 3)


def test_no_intersection():
    assert A.intersection(Rect(10, 0, 3, 3)) is None
    assert A.intersection(Rect(0, 5, 3, 3)) is None


def test_union():
    assert A.union(Rect(12, -2, 1, 1)) == Rect(0, -2, 13, 7)


def test_moved_into():
    assert Rect(8, 4, 4, 3).moved_into(A) == Rect(6, 2, 4, 3)
    assert Rect(-3, 1, 2, 2).moved_into(A) == Rect(0, 1, 2, 2)


def test_too_large_for_the_frame():
    assert Rect(3, 3, 20, 20).moved_into(A) == Rect(0, 0, 20, 20)


def test_split():
    assert A.split(3) == [Rect(0, 0, 4, 5), Rect(4, 0, 3, 5), Rect(7, 0, 3, 5)]
