import heapq
import random

import pytest
from subject import BinaryHeap


def test_against_heapq():
    rng = random.Random(0)
    for _ in range(30):
        start = [rng.randint(0, 9) for _ in range(rng.randint(0, 12))]
        heap, model = BinaryHeap(start), start.copy()
        heapq.heapify(model)
        for _ in range(20):
            if rng.random() < 0.5:
                n = rng.randint(0, 9)
                heap.push(n)
                heapq.heappush(model, n)
            elif model:
                assert heap.pop() == heapq.heappop(model)
            assert len(heap) == len(model)
            assert heap.peek("none") == (model[0] if model else "none")


def test_orders():
    rng = random.Random(1)
    for _ in range(30):
        items = [(rng.randint(-5, 5), i) for i in range(rng.randint(0, 15))]
        for largest in (False, True):
            heap = BinaryHeap(items, key=lambda item: (item[0] ** 2, item), largest=largest)
            taken = [heap.pop() for _ in items]
            assert taken == sorted(items, key=lambda item: (item[0] ** 2, item), reverse=largest)


def test_parents_come_first():
    heap = BinaryHeap(range(20, 0, -1))
    heap.push(0)
    items = heap._items
    assert all(items[(i - 1) // 2] <= items[i] for i in range(1, len(items)))


def test_items_are_left_alone():
    items = [3, 2, 1]
    heap = BinaryHeap(items)
    heap.pop()
    assert items == [3, 2, 1]
    assert len(heap) == 2


def test_emptied():
    heap = BinaryHeap(iter([1]))
    assert heap.pop() == 1
    with pytest.raises(IndexError, match="empty"):
        heap.pop()
    heap.push(4)
    assert heap.peek() == 4
