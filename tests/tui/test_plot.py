"""Series and values in characters."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from treadle.tui.widgets.layout import ASCII, UNICODE
from treadle.tui.widgets.plot import bar, spark

VALUES = st.lists(st.none() | st.floats(min_value=0, max_value=1e300))


@given(VALUES)
def test_a_series_has_one_cell_for_each_value_and_the_highest_is_at_the_top(values: list[float | None]) -> None:
    for glyphs in (UNICODE, ASCII):
        drawn = spark(values, glyphs.levels)
        assert cell_len(drawn) == len(values)
        known = [value for value in values if value is not None]
        for value, char in zip(values, drawn, strict=True):
            assert (char == glyphs.levels[0]) == (value is None)
            assert (char == glyphs.levels[1]) == (value == 0)
            if value and value == max(known):
                assert char == glyphs.levels[-1]


@given(st.lists(st.floats(min_value=0, max_value=1e6), min_size=2))
def test_more_is_never_lower(values: list[float]) -> None:
    drawn = spark(sorted(values), UNICODE.levels)
    assert sorted(drawn) == list(drawn)


def test_a_series_can_be_measured_against_more_than_it_reaches() -> None:
    assert spark([0.5, 1.0], UNICODE.levels, 1.0) == "▅█"
    assert spark([0.5, None, 0.0], UNICODE.levels, 1.0) == "▅╌▁"


@given(st.none() | st.floats(min_value=0, max_value=1e9), st.floats(min_value=0, max_value=1e9))
def test_a_bar_takes_its_width_and_is_seen_where_there_is_something(value: float | None, most: float) -> None:
    drawn = bar(value, most, 20, ASCII.levels)
    assert len(drawn) == 20
    assert ("#" in drawn) == bool(value and most)
