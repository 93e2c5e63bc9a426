from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.skills.binary_search_by import binary_search_by


@given(st.integers(-1000, 1000), st.integers(0, 500), st.integers(-1100, 1600))
def test_the_first_for_which_it_holds(low: int, length: int, border: int) -> None:
    high = low + length
    asked: list[int] = []

    def holds(n: int) -> bool:
        asked.append(n)
        return n >= border

    assert binary_search_by(low, high, holds) == min(max(border, low), high)
    assert all(low <= n < high for n in asked)
    assert len(asked) == len(set(asked)) <= length.bit_length()


@given(st.lists(st.booleans(), max_size=40))
def test_a_condition_that_goes_back_and_forth_still_gives_a_border(truth: list[bool]) -> None:
    found = binary_search_by(0, len(truth), truth.__getitem__)
    assert found == len(truth) or truth[found]
    assert found == 0 or not truth[found - 1]


def test_an_empty_range_asks_nothing() -> None:
    def never(n: int) -> bool:
        raise AssertionError(n)

    assert binary_search_by(5, 5, never) == 5


def test_huge_ranges_are_exact() -> None:
    assert binary_search_by(0, 10**40, lambda n: n * n >= 2 * 10**60) == 1414213562373095048801688724210


def test_a_range_upside_down_is_refused() -> None:
    with pytest.raises(ValueError):
        binary_search_by(2, 1, lambda n: True)


def test_an_error_of_the_condition_passes_through() -> None:
    with pytest.raises(ZeroDivisionError):
        binary_search_by(0, 1, lambda n: 1 // n > 0)
