from __future__ import annotations

import datetime
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.skills.merge_intervals import merge_intervals

intervals = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 6)).map(lambda p: (p[0], p[0] + p[1])), max_size=12)


@given(intervals)
def test_the_same_points_are_covered_by_the_fewest_intervals(given_ones: list[tuple[int, int]]) -> None:
    merged = merge_intervals(given_ones)
    assert {x for s, e in merged for x in range(s, e)} == {x for s, e in given_ones for x in range(s, e)}
    assert all(start < end for start, end in merged)
    assert all(one[1] < other[0] for one, other in itertools.pairwise(merged))


@given(intervals.flatmap(lambda i: st.tuples(st.just(i), st.permutations(i))))
def test_the_order_given_does_not_matter_and_merging_twice_changes_nothing(drawn) -> None:  # type: ignore[no-untyped-def]
    given_ones, shuffled = drawn
    merged = merge_intervals(given_ones)
    assert merge_intervals(shuffled) == merge_intervals(merged) == merged


def test_touching_intervals_become_one_and_empty_ones_vanish() -> None:
    assert merge_intervals([(1, 2), (2, 3)]) == [(1, 3)]
    assert merge_intervals([(5, 5)]) == []
    assert merge_intervals([(1, 2), (2, 2), (3, 4)]) == [(1, 2), (3, 4)]


def test_one_inside_another_adds_nothing() -> None:
    assert merge_intervals([(0, 10), (2, 3), (4, 10)]) == [(0, 10)]


def test_dates_and_unhashable_bounds_will_do() -> None:
    day = datetime.date
    assert merge_intervals([(day(2024, 1, 5), day(2024, 1, 9)), (day(2024, 1, 1), day(2024, 1, 6))]) == [
        (day(2024, 1, 1), day(2024, 1, 9))
    ]
    assert merge_intervals([([0], [1]), ([1], [2])]) == [([0], [2])]


@pytest.mark.parametrize("wrong", [(2, 1), (float("nan"), 1.0), (1.0, float("nan"))])
def test_an_interval_that_ends_before_it_starts_is_refused(wrong: tuple[float, float]) -> None:
    with pytest.raises(ValueError):
        merge_intervals([(0.0, 1.0), wrong])
