import random

import pytest
from subject import Cycle, build_order, stages


def test_random_graphs():
    rng = random.Random(0)
    for _ in range(60):
        names = [f"n{i}" for i in range(rng.randint(1, 9))]
        ranked = rng.sample(names, len(names))
        needs = {n: rng.sample(ranked[:i], rng.randint(0, min(i, 3))) for i, n in enumerate(ranked)}
        order = build_order(needs)
        assert sorted(order) == sorted(names)
        assert all(order.index(needed) < order.index(n) for n in names for needed in needs[n])
        groups = stages(needs)
        assert sorted(n for group in groups for n in group) == sorted(names)
        assert all(groups)
        place = {n: i for i, group in enumerate(groups) for n in group}
        for n in names:
            assert place[n] == max((place[m] + 1 for m in needs[n]), default=0)
        assert all(group == sorted(group) for group in groups)


def test_self_need():
    with pytest.raises(Cycle) as caught:
        build_order({"a": ["a"]})
    assert caught.value.ring == ["a", "a"]


def test_long_ring_found_behind_a_tail():
    with pytest.raises(Cycle) as caught:
        stages({"a": ["b"], "b": ["c"], "c": ["d"], "d": ["b"], "e": []})
    assert caught.value.ring == ["b", "c", "d", "b"]
    assert isinstance(caught.value, ValueError)


def test_diamond():
    needs = {"top": ["left", "right"], "left": ["base"], "right": ["base"]}
    assert build_order(needs) == ["base", "left", "right", "top"]
    assert stages(needs) == [["base"], ["left", "right"], ["top"]]


def test_uneven_depth():
    assert stages({"a": ["b", "c"], "b": ["c"]}) == [["c"], ["b"], ["a"]]


def test_needs_are_left_alone():
    needs = {"a": ["c", "b"]}
    assert build_order(needs) == ["b", "c", "a"]
    assert needs == {"a": ["c", "b"]}
    assert build_order({"a": ("b",)}) == ["b", "a"]
