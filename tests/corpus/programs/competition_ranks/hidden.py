import random

import pytest
from subject import counting_sort, dense_ranks, podium, ranks


def test_random_values():
    rng = random.Random(0)
    for _ in range(60):
        highest = rng.randint(0, 6)
        values = [rng.randint(0, highest) for _ in range(rng.randint(0, 12))]
        copy = values.copy()
        assert counting_sort(values, highest) == sorted(values)
        assert values == copy
        scores = {f"n{i}": value for i, value in enumerate(values)}
        assert ranks(scores) == {n: 1 + sum(o > s for o in values) for n, s in scores.items()}
        assert dense_ranks(scores) == {n: 1 + len({o for o in values if o > s}) for n, s in scores.items()}


def test_order_of_names():
    assert list(ranks({"b": 1, "a": 1, "c": 2})) == ["c", "a", "b"]
    assert podium({"b": 1, "a": 1}) == ["1. a, b"]


def test_podium_edges():
    assert podium({}) == []
    assert podium({"a": 0}) == ["1. a"]
    assert podium({"a": 3, "b": 2, "c": 2, "d": 1}) == ["1. a", "2. b, c"]
    assert podium(dict.fromkeys("abcd", 5)) == ["1. a, b, c, d"]


def test_bounds():
    assert counting_sort([0, 0], 0) == [0, 0]
    with pytest.raises(ValueError, match="8 is not between 0 and 7"):
        counting_sort([7, 8], 7)
    with pytest.raises(ValueError, match="-1"):
        counting_sort(iter([0, -1]), 1)


def test_negative_scores():
    assert ranks({"a": -1, "b": -3, "c": 0}) == {"c": 1, "a": 2, "b": 3}
    assert dense_ranks({"a": -1.5, "b": -1.5, "c": -2}) == {"a": 1, "b": 1, "c": 2}
