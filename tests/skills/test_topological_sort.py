from __future__ import annotations

import itertools
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.skills.topological_sort import CycleError, topological_sort


def test_nothing_sorts_to_nothing() -> None:
    assert topological_sort({}) == []


def test_an_order_that_is_right_already_is_kept() -> None:
    assert topological_sort({"b": [], "a": ["b"], "z": [], "c": ["a"]}) == ["b", "a", "z", "c"]


def test_what_is_named_only_as_a_dependency_is_in_the_order() -> None:
    assert topological_sort({"a": ["x"]}) == ["x", "a"]


def test_a_dependency_named_twice_counts_once_and_iterators_are_enough() -> None:
    def twice() -> Iterable[str]:
        yield "x"
        yield "x"

    assert topological_sort({"a": twice()}) == ["x", "a"]


def test_a_thing_that_depends_on_itself_is_a_cycle() -> None:
    with pytest.raises(CycleError) as caught:
        topological_sort({"ok": [], "a": ["a"]})
    assert caught.value.cycle == ("a", "a")


def test_the_error_names_the_cycle_and_not_what_merely_waits_for_it() -> None:
    with pytest.raises(CycleError, match="b -> c -> b") as caught:
        topological_sort({"a": ["b"], "b": ["c"], "c": ["b"], "free": []})
    assert caught.value.cycle == ("b", "c", "b")


def test_a_chain_far_longer_than_the_recursion_limit_works() -> None:
    graph = {n: [n + 1] for n in range(20_000)}
    assert topological_sort(graph) == list(range(20_000, -1, -1))
    graph[20_000] = [0]
    with pytest.raises(CycleError):
        topological_sort(graph)


graphs = st.dictionaries(st.integers(0, 9), st.lists(st.integers(0, 9), max_size=4), max_size=10)


@given(graphs)
def test_every_order_respects_every_dependency_and_every_cycle_is_real(graph: dict[int, list[int]]) -> None:
    try:
        order = topological_sort(graph)
    except CycleError as error:
        cycle = error.cycle
        assert cycle[0] == cycle[-1] and len(cycle) >= 2
        for one, next_one in itertools.pairwise(cycle):
            assert next_one in graph[one]  # type: ignore[index]
    else:
        assert sorted(order) == sorted({*graph, *(n for needed in graph.values() for n in needed)})
        place = {thing: index for index, thing in enumerate(order)}
        assert all(place[n] < place[thing] for thing, needed in graph.items() for n in needed)


@given(st.permutations(range(8)).flatmap(lambda p: st.tuples(st.just(p), st.data())))
def test_graphs_without_a_cycle_are_never_refused(drawn: tuple[list[int], st.DataObject]) -> None:
    names, data = drawn
    graph = {name: data.draw(st.sets(st.sampled_from(names[:i]))) if i else set() for i, name in enumerate(names)}
    # Keys are in a right order here, and the stable sort keeps it.
    assert topological_sort(graph) == list(names)
