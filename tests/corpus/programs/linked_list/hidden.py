import random
from bisect import insort_right

import pytest
from subject import LinkedList


def check(values, model):
    assert list(values) == model
    if model:
        assert values.first.value == model[0] and values.last.value == model[-1]
        assert values.last.next is None
    else:
        assert values.first is None and values.last is None


def test_against_a_list():
    rng = random.Random(0)
    for _ in range(20):
        values, model = LinkedList(), []
        for _ in range(25):
            value = rng.randint(0, 5)
            kind = rng.choice(["append", "append", "remove", "reverse"])
            if kind == "append":
                values.append(value)
                model.append(value)
            elif kind == "remove":
                assert values.remove(value) is (value in model)
                if value in model:
                    model.remove(value)
            else:
                values.reverse()
                model.reverse()
            check(values, model)
            for index in range(len(model) + 2):
                if index < len(model):
                    assert values.from_end(index) == model[-1 - index]
                else:
                    with pytest.raises(IndexError):
                        values.from_end(index)


def test_sorted_against_insort():
    rng = random.Random(1)
    for _ in range(30):
        values, model = LinkedList(), []
        for _ in range(10):
            value = rng.randint(0, 4)
            values.insert_sorted(value)
            insort_right(model, value)
            check(values, model)


class Pair(tuple):
    def __lt__(self, other):
        return self[0] < other[0]


def test_equals_stay_in_order():
    values = LinkedList()
    for pair in ((2, "a"), (1, "a"), (1, "b"), (2, "b"), (1, "c")):
        values.insert_sorted(Pair(pair))
    assert [pair[1] for pair in values] == ["a", "b", "c", "a", "b"]


def test_one_and_none():
    values = LinkedList([1])
    values.reverse()
    check(values, [1])
    assert values.remove(1)
    check(values, [])
    values.reverse()
    check(values, [])
    values.insert_sorted(3)
    check(values, [3])
