from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.skills.flatten import flatten, unflatten

keys = st.text(alphabet="ab /", max_size=3)
nested = st.dictionaries(
    keys,
    st.recursive(
        st.none() | st.integers() | st.lists(st.integers(), max_size=2),
        lambda inner: st.dictionaries(keys, inner, max_size=3),
        max_leaves=10,
    ),
    max_size=4,
)


@given(nested)
def test_back_and_forth_loses_nothing(value: dict[str, object]) -> None:
    flat = flatten(value)
    assert unflatten(flat) == value
    assert flatten(unflatten(flat)) == flat


@given(nested)
def test_a_flat_mapping_holds_no_mapping_but_empty_ones(value: dict[str, object]) -> None:
    assert all(not isinstance(inner, dict) or not inner for inner in flatten(value).values())


def test_another_separator() -> None:
    assert flatten({"a.b": {"c": 1}}, separator="::") == {"a.b::c": 1}
    assert unflatten({"a.b::c": 1}, separator="::") == {"a.b": {"c": 1}}


def test_a_key_that_holds_the_separator_is_refused_with_its_place() -> None:
    with pytest.raises(ValueError, match=r"'b\.c' below 'a\.'"):
        flatten({"a": {"b.c": 1}})


def test_a_key_that_is_no_text_is_refused() -> None:
    with pytest.raises(TypeError, match="1 below 'a"):
        flatten({"a": {1: 2}})


def test_a_mapping_that_contains_itself_is_refused_but_one_used_twice_is_not() -> None:
    endless: dict[str, object] = {}
    endless["a"] = {"b": endless}
    with pytest.raises(ValueError, match=r"'a\.b' contains itself"):
        flatten(endless)
    shared = {"x": 1}
    assert flatten({"a": shared, "b": shared}) == {"a.x": 1, "b.x": 1}


def test_depth_is_not_limited_by_recursion() -> None:
    deep: dict[str, object] = {"leaf": 1}
    for _ in range(5000):
        deep = {"n": deep}
    (path,) = flatten(deep)
    assert path == "n." * 5000 + "leaf"


@pytest.mark.parametrize(
    "flat", [{"a": 1, "a.b": 2}, {"a.b": 2, "a": 1}, {"a": {}, "a.b": 1}, {"a": {"x": 1}, "a.b": 1}]
)
def test_keys_that_are_in_each_others_way_are_refused(flat: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        unflatten(flat)


def test_an_empty_separator_is_refused() -> None:
    with pytest.raises(ValueError):
        flatten({}, separator="")
    with pytest.raises(ValueError):
        unflatten({}, separator="")
