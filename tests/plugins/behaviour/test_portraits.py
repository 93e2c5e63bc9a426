"""Values as text, and values near a given one."""

from __future__ import annotations

import copy
import datetime
import functools
import random
from collections import Counter, OrderedDict, deque
from dataclasses import dataclass
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.plugins.behaviour.runners.portraits import LONGEST, MOST_PARTS, TooLarge, drawn, portrait, portrait_of_all
from treadle.plugins.behaviour.runners.variations import inputs_like, variations

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary()
    | st.dates()
    | st.timedeltas(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@dataclass
class Point:
    x: int
    y: object = None


class Slotted:
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value


@given(PLAIN)
def test_equal_values_have_the_same_portrait(value):
    assert portrait(copy.deepcopy(value)) == portrait(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": 2}, "{'a': 2, 'b': 1}"),
        ({3, 1, 2}, "{1, 2, 3}"),
        (set(), "set()"),
        (frozenset({1}), "frozenset({1})"),
        ((1,), "(1,)"),
        (0.1 + 0.2, "0.3"),
        (float("inf"), "inf"),
        (Point(1, [2]), "Point(x=1, y=[2])"),
        (Slotted(3), "Slotted(value=3)"),
        (deque([1, 2]), "deque([1, 2])"),
        (OrderedDict(a=1), "OrderedDict({'a': 1})"),
        (Counter("aab"), "Counter({'a': 2, 'b': 1})"),
        (Decimal("1.50"), "Decimal('1.50')"),
        (datetime.date(2024, 2, 29), "datetime.date(2024, 2, 29)"),
        (ValueError("no", 3), "ValueError('no', 3)"),
        (Point, "<Point>"),
        (object(), "object()"),
        (functools.partial(portrait), "functools.partial(<function portrait>)"),
        ("at 0x12ab", "'at 0x12ab'"),
    ],
)
def test_a_portrait_says_what_a_test_could_see(value, text):
    assert portrait(value) == text


def test_no_address_is_in_a_portrait_and_what_holds_itself_ends():
    point = Point(1)
    point.y = [point, object()]
    assert portrait(point) == "Point(x=1, y=[<itself>, object()])"


def test_long_values_differ_where_they_differ():
    one, other = portrait("a" * 5000 + "b"), portrait("a" * 5000 + "c")
    assert one != other
    assert len(one) < LONGEST + 40


def test_of_a_large_value_a_part_is_looked_at_the_same_in_each_order_of_sets():
    assert portrait(1 << 20_000).startswith("0x1000"), "Python refuses to write it in decimal digits"
    assert portrait([0] * 5000) != portrait([0] * 5001)
    assert portrait(set(map(str, range(MOST_PARTS + 1)))) == f"{{... of {MOST_PARTS + 1}}}"
    assert portrait_of_all([0] * 9) == portrait([0] * 9)
    for large in ([0] * MOST_PARTS, "x" * 30_000, [[1] * 300] * 3):
        with pytest.raises(TooLarge):
            portrait_of_all(large)


def test_an_iterator_is_drawn_from_as_far_as_it_is_looked_at():
    assert drawn(iter([1, 2])) == ("elements", 1, 2)
    assert len(drawn(iter(int, 1))) == 41
    assert drawn([1, 2]) == [1, 2]


@given(PLAIN)
def test_variations_are_of_the_same_type_and_leave_the_value_as_it_is(value):
    before = portrait(value)
    found = list(variations(value, random.Random(1)))
    assert all(type(each) is type(value) for each in found)
    assert portrait(value) == before
    nothing_near = value is None or value in ([], {}, b"")
    assert nothing_near or any(portrait(each) != before for each in found)


def test_inputs_begin_with_those_observed_and_are_the_same_each_time():
    observed = [([3, 1], 2), ([], 7)]
    texts = [portrait(each) for each in inputs_like(observed, {0: [], 1: []}, "f", 40)]
    assert texts[:2] == ["([3, 1], 2)", "([], 7)"]
    assert texts == [portrait(each) for each in inputs_like(observed, {0: [], 1: []}, "f", 40)]
    assert {"([3, 1], 7)", "([1], 2)"} <= set(texts), "the argument of another call, and a list without an element"


def test_what_may_not_be_varied_stays():
    made = list(inputs_like([("self", 5)], {1: []}, "f", 30))
    assert {each[0] for each in made} == {"self"}
    assert len({each[1] for each in made}) > 5
