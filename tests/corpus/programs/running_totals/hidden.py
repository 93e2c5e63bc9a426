import itertools
import random

import pytest
from subject import RunningTotals


def test_against_a_list():
    rng = random.Random(0)
    for _ in range(30):
        model = [rng.randint(0, 5) for _ in range(rng.randint(0, 12))]
        numbers = RunningTotals(model)
        for _ in range(12):
            if model:
                place, value = rng.randrange(-len(model), len(model)), rng.randint(0, 5)
                if rng.random() < 0.5:
                    numbers.add(place, value)
                    model[place] += value
                else:
                    numbers[place] = value
                    model[place] = value
            start, end = rng.randint(0, 13), rng.randint(0, 13)
            assert numbers.total(start, end) == sum(model[start:end])
            assert numbers.total(start) == sum(model[start:])
            assert numbers.before(end) == sum(model[:end])
            target = rng.randint(1, 30)
            sums = list(itertools.accumulate(model))
            assert numbers.reach(target) == next((i for i, s in enumerate(sums) if s >= target), None)
        assert [numbers[i] for i in range(len(numbers))] == model
        assert numbers.total() == sum(model)


def test_numbers_are_copied():
    given = [1, 2]
    numbers = RunningTotals(given)
    numbers.add(0, 5)
    assert given == [1, 2]


def test_negative_numbers():
    numbers = RunningTotals([-1, 4, -3])
    assert [numbers.before(n) for n in range(-1, 5)] == [0, 0, -1, 3, 0, 0]
    numbers.add(-3, -1)
    assert numbers.total() == -1


def test_places():
    numbers = RunningTotals([1, 2])
    for place in (2, -3, 99):
        with pytest.raises(IndexError):
            numbers.add(place, 1)
    with pytest.raises(IndexError):
        numbers[2] = 1
    with pytest.raises(IndexError):
        numbers[2]
    assert numbers.reach(0) == 0
    assert numbers.reach(3) == 1
    assert RunningTotals([]).reach(1) is None
    assert RunningTotals([]).total() == 0
