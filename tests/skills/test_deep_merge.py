from __future__ import annotations

import copy
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.skills.deep_merge import deep_merge

nested = st.dictionaries(
    st.sampled_from("abc"),
    st.recursive(
        st.none() | st.integers() | st.lists(st.integers(), max_size=2),
        lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
        max_leaves=8,
    ),
    max_size=3,
)


def test_no_layer_and_one_layer() -> None:
    assert deep_merge() == {}
    assert deep_merge({"a": {"b": 1}}) == {"a": {"b": 1}}


@pytest.mark.parametrize("later", [None, 0, "", [], "text"])
def test_a_plain_value_replaces_a_mapping_and_the_other_way_round(later: object) -> None:
    assert deep_merge({"a": {"b": 1}}, {"a": later}) == {"a": later}
    assert deep_merge({"a": later}, {"a": {"b": 1}}) == {"a": {"b": 1}}


def test_lists_are_replaced_not_joined() -> None:
    assert deep_merge({"a": [1, 2]}, {"a": [3]}) == {"a": [3]}


def test_keys_keep_the_place_of_their_first_appearance() -> None:
    assert list(deep_merge({"a": 1, "b": 1}, {"c": 1, "a": 2})) == ["a", "b", "c"]


def test_any_mapping_will_do_and_the_result_is_plain_dicts() -> None:
    merged = deep_merge(MappingProxyType({"a": MappingProxyType({"x": 1})}), MappingProxyType({"a": {"y": 2}}))
    assert merged == {"a": {"x": 1, "y": 2}}
    assert type(merged["a"]) is dict


def test_a_mapping_that_contains_itself_is_an_error() -> None:
    endless: dict[str, object] = {}
    endless["self"] = endless
    with pytest.raises(RecursionError):
        deep_merge(endless)


def _spoil(value: object) -> None:
    if isinstance(value, dict):
        for inner in value.values():
            _spoil(inner)
        value["spoilt"] = True
    elif isinstance(value, list):
        value.append("spoilt")


@given(st.lists(nested, max_size=4))
def test_changing_the_result_changes_no_layer(layers: list[dict[str, object]]) -> None:
    before = copy.deepcopy(layers)
    _spoil(deep_merge(*layers))
    assert layers == before


@given(nested, nested, nested)
def test_merging_in_one_go_or_from_the_left_gives_the_same(
    a: dict[str, object], b: dict[str, object], c: dict[str, object]
) -> None:
    assert deep_merge(a, b, c) == deep_merge(deep_merge(a, b), c)


@given(nested)
def test_merging_with_nothing_or_with_itself_changes_nothing(layer: dict[str, object]) -> None:
    assert deep_merge(layer, {}) == deep_merge({}, layer) == deep_merge(layer, layer) == layer
