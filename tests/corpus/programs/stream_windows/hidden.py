import random
from itertools import count, groupby, islice

import pytest
from subject import averages, chunks, round_robin, split_when, windows


def test_random_streams():
    rng = random.Random(0)
    for _ in range(80):
        items = [rng.randint(0, 3) for _ in range(rng.randint(0, 12))]
        size, step = rng.randint(1, 5), rng.randint(1, 5)
        expected = [items[i : i + size] for i in range(0, len(items), size)]
        assert list(chunks(iter(items), size)) == expected
        assert list(chunks(items, size, partial=False)) == [c for c in expected if len(c) == size]
        assert list(windows(iter(items), size, step)) == [
            tuple(items[i : i + size]) for i in range(0, len(items) - size + 1, step)
        ]
        assert list(split_when(items, lambda a, b: a != b)) == [list(g) for _, g in groupby(items)]
        means = [sum(w) / len(w) for i in range(len(items)) for w in [items[max(0, i + 1 - size) : i + 1]]]
        assert list(averages(items, size)) == pytest.approx(means)


def test_turns():
    rng = random.Random(1)
    for _ in range(40):
        streams = [[(i, j) for j in range(rng.randint(0, 4))] for i in range(rng.randint(0, 4))]
        expected = sorted((item for s in streams for item in s), key=lambda item: (item[1], item[0]))
        assert list(round_robin(*streams)) == expected


def test_lazy():
    taken = []

    def source():
        for n in count():
            taken.append(n)
            yield n

    assert next(chunks(source(), 3)) == [0, 1, 2]
    assert taken == [0, 1, 2]
    assert next(windows(source(), 2)) == (0, 1)
    assert list(islice(split_when(count(), lambda a, b: b % 3 == 0), 2)) == [[0, 1, 2], [3, 4, 5]]
    assert list(islice(averages(count(), 3), 4)) == [0, 0.5, 1, 2]
    assert list(islice(round_robin(count(), "a"), 4)) == [0, "a", 1, 2]


def test_edges():
    assert list(chunks([], 2)) == list(windows([], 1)) == list(split_when([], max)) == list(round_robin()) == []
    assert list(windows([1, 2, 3], 3)) == [(1, 2, 3)]
    assert list(windows(range(6), 1, 3)) == [(0,), (3,)]
    assert list(averages([], 1)) == []
    assert list(split_when([1], lambda a, b: True)) == [[1]]
    for size in (0, -1):
        with pytest.raises(ValueError, match="one item"):
            next(chunks([1], size))
    first, second = chunks([1, 2], 1)
    assert first == [1] and second == [2]


def test_one_step_by_default():
    assert list(windows("abcd", 3)) == [("a", "b", "c"), ("b", "c", "d")]
