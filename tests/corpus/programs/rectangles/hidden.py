import random

from subject import Rect


def cells(rect):
    return {(x, y) for x in range(rect.left, rect.right) for y in range(rect.top, rect.bottom)}


def some(rng):
    return Rect(rng.randint(-4, 4), rng.randint(-4, 4), rng.randint(1, 5), rng.randint(1, 5))


def test_against_cells():
    rng = random.Random(0)
    for _ in range(100):
        a, b = some(rng), some(rng)
        common = a.intersection(b)
        assert (cells(common) if common else set()) == cells(a) & cells(b)
        assert a.intersection(b) == b.intersection(a)
        around = a.union(b)
        assert cells(a) | cells(b) <= cells(around)
        assert around.left == min(a.left, b.left) and around.bottom == max(a.bottom, b.bottom)
        assert around.top == min(a.top, b.top) and around.right == max(a.right, b.right)
        x, y = rng.randint(-5, 9), rng.randint(-5, 9)
        assert a.contains(x, y) == ((x, y) in cells(a))


def test_moving():
    rng = random.Random(1)
    for _ in range(100):
        rect, frame = some(rng), some(rng)
        moved = rect.moved_into(frame)
        assert (moved.width, moved.height) == (rect.width, rect.height)
        if rect.width <= frame.width and rect.height <= frame.height:
            assert cells(moved) <= cells(frame)
            if cells(rect) <= cells(frame):
                assert moved == rect
        if rect.width >= frame.width:
            assert moved.left == frame.left
        if rect.height >= frame.height:
            assert moved.top == frame.top


def test_splitting():
    for width in range(12):
        for columns in range(1, 6):
            rect = Rect(3, 1, width, 2)
            parts = rect.split(columns)
            widths = [part.width for part in parts]
            assert len(parts) == columns and sum(widths) == width
            assert widths == sorted(widths, reverse=True) and widths[0] - widths[-1] <= 1
            assert [part.left for part in parts] == [3 + sum(widths[:i]) for i in range(columns)]
            assert {(part.top, part.height) for part in parts} == {(1, 2)}


def test_touching_and_inside():
    assert Rect(0, 0, 9, 9).intersection(Rect(2, 3, 1, 1)) == Rect(2, 3, 1, 1)
    assert Rect(0, 0, 1, 1).intersection(Rect(1, 1, 1, 1)) is None
    assert Rect(1, 1, 0, 5).intersection(Rect(0, 0, 9, 9)) is None
    assert Rect(2, 2, 1, 1).union(Rect(0, 0, 5, 5)) == Rect(0, 0, 5, 5)


def test_touching_edges():
    assert Rect(0, 0, 4, 4).intersection(Rect(1, 4, 2, 2)) is None
    assert Rect(0, 0, 4, 4).intersection(Rect(4, 1, 2, 2)) is None
    assert Rect(0, 0, 4, 4).intersection(Rect(1, 3, 2, 2)) == Rect(1, 3, 2, 1)
