import pytest
from subject import BinaryHeap


def drained(heap):
    return [heap.pop() for _ in range(len(heap))]


def test_push_and_pop():
    heap = BinaryHeap()
    for n in (5, 2, 8, 1, 9, 3):
        heap.push(n)
    assert drained(heap) == [1, 2, 3, 5, 8, 9]


def test_from_items():
    assert drained(BinaryHeap([4, 1, 7, 3, 6, 2, 5])) == [1, 2, 3, 4, 5, 6, 7]


def test_key():
    assert drained(BinaryHeap(["ccc", "a", "bb"], key=len)) == ["a", "bb", "ccc"]


def test_largest():
    heap = BinaryHeap([3, 9, 4], largest=True)
    heap.push(7)
    assert drained(heap) == [9, 7, 4, 3]


def test_peek():
    heap = BinaryHeap([3, 1])
    assert heap.peek() == 1
    assert len(heap) == 2
    assert BinaryHeap().peek() is None
    assert BinaryHeap().peek(default=0) == 0


def test_empty():
    with pytest.raises(IndexError):
        BinaryHeap().pop()
