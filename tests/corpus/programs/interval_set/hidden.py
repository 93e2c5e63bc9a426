import random

import pytest
from subject import IntervalSet


def runs(numbers):
    out = []
    for n in sorted(numbers):
        if out and out[-1][1] == n:
            out[-1] = (out[-1][0], n + 1)
        else:
            out.append((n, n + 1))
    return out


def test_against_sets():
    rng = random.Random(0)
    for _ in range(60):
        numbers, model = IntervalSet(), set()
        for _ in range(12):
            start = rng.randint(0, 20)
            end = start + rng.randint(0, 6)
            if rng.random() < 0.65:
                numbers.add(start, end)
                model |= set(range(start, end))
            else:
                numbers.remove(start, end)
                model -= set(range(start, end))
            assert list(numbers) == runs(model)
            assert len(numbers) == len(model)
        assert {n for n in range(-2, 30) if n in numbers} == model
        start, end = rng.randint(-3, 10), rng.randint(5, 30)
        assert numbers.gaps(start, end) == runs(set(range(start, end)) - model)


def test_bridging_many():
    numbers = IntervalSet()
    for n in range(0, 20, 4):
        numbers.add(n, n + 2)
    numbers.add(1, 13)
    assert list(numbers) == [(0, 14), (16, 18)]


def test_remove_everything():
    numbers = IntervalSet()
    numbers.remove(0, 5)
    numbers.add(1, 3)
    numbers.remove(0, 5)
    assert list(numbers) == []
    assert len(numbers) == 0
    assert 1 not in numbers


def test_removing_while_going_over():
    numbers = IntervalSet()
    numbers.add(1, 3)
    numbers.add(5, 6)
    for start, end in numbers:
        numbers.remove(start, end)
    assert list(numbers) == []


def test_edges():
    numbers = IntervalSet()
    with pytest.raises(ValueError, match="1 is before 2"):
        numbers.add(2, 1)
    numbers.add(-5, -2)
    assert -5 in numbers and -2 not in numbers
    assert numbers.gaps(5, 5) == []
    assert numbers.gaps(-4, -3) == []
    assert numbers.gaps(-9, -5) == [(-9, -5)]
