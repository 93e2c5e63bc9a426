from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from treadle.skills.union_find import UnionFind

pairs = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=30)


@given(pairs)
def test_groups_are_the_connected_components(edges: list[tuple[int, int]]) -> None:
    union = UnionFind(range(13))
    label = list(range(13))
    for one, other in edges:
        assert union.union(one, other) == (label[one] != label[other])
        label = [label[one] if mark == label[other] else mark for mark in label]
    for one in range(13):
        assert union.size(one) == label.count(label[one])
        for other in range(13):
            assert union.connected(one, other) == (label[one] == label[other])
    assert len(union) == len(union.groups()) == len(set(label))
    assert sorted(thing for group in union.groups() for thing in group) == list(range(13))


def test_groups_and_members_keep_the_order_in_which_they_were_added() -> None:
    union = UnionFind("dcba")
    union.union("a", "c")
    assert union.groups() == [["d"], ["c", "a"], ["b"]]


def test_asking_about_strangers_adds_nothing() -> None:
    union: UnionFind[str] = UnionFind()
    assert union.connected("x", "x")
    assert not union.connected("x", "y")
    assert union.size("x") == 1
    assert len(union) == 0
    assert union.groups() == []


def test_merging_adds_what_is_new_and_adding_again_changes_nothing() -> None:
    union: UnionFind[str] = UnionFind()
    assert union.union("a", "b")
    union.add("a")
    assert union.size("a") == 2
    assert not union.union("c", "c")
    assert len(union) == 2


def test_equal_things_are_one_thing() -> None:
    union: UnionFind[float] = UnionFind([1])
    union.union(1.0, 2)
    assert union.connected(True, 2.0)


def test_a_thing_that_is_not_equal_to_itself_does_not_hang_it() -> None:
    nan = float("nan")
    union = UnionFind([nan, 1.0])
    assert union.union(nan, 1.0)
    assert union.connected(nan, 1.0)


def test_a_long_chain_needs_no_recursion() -> None:
    union = UnionFind(range(50_000))
    for n in range(49_999):
        union.union(n, n + 1)
    assert union.connected(0, 49_999)
    assert len(union) == 1
