from __future__ import annotations

import copy

from hypothesis import given
from hypothesis import strategies as st

from treadle.skills.diff_dicts import Change, diff_dicts

nested = st.dictionaries(
    st.sampled_from("abc"),
    st.recursive(
        st.none() | st.booleans() | st.integers(0, 2) | st.lists(st.integers(0, 1) | st.booleans(), max_size=2),
        lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
        max_leaves=8,
    ),
    max_size=3,
)


def apply(old: dict[str, object], changes: tuple[Change, ...]) -> dict[str, object]:
    result = copy.deepcopy(old)
    for change in changes:
        here = result
        for key in change.path[:-1]:
            here = here[key]  # type: ignore[index, assignment]
        if change.kind == "removed":
            del here[change.path[-1]]  # type: ignore[arg-type]
        else:
            here[change.path[-1]] = change.new  # type: ignore[index]
    return result


def test_an_added_none_is_no_removed_none() -> None:
    assert diff_dicts({}, {"a": None}) == (Change("added", ("a",)),)
    assert diff_dicts({"a": None}, {}) == (Change("removed", ("a",)),)


def test_a_mapping_that_becomes_a_value_is_one_change() -> None:
    assert diff_dicts({"a": {"b": 1}}, {"a": 1}) == (Change("changed", ("a",), {"b": 1}, 1),)


def test_a_truth_value_is_no_number_at_any_depth() -> None:
    assert diff_dicts({"a": 1}, {"a": True}) == (Change("changed", ("a",), 1, True),)
    assert [c.path for c in diff_dicts({"a": [0, {"b": 1}]}, {"a": [False, {"b": 1}]})] == [("a",)]
    assert [c.path for c in diff_dicts({"a": [{"b": 1}]}, {"a": [{"b": True}]})] == [("a",)]
    assert diff_dicts({"a": 1}, {"a": 1.0}) == ()


def test_a_list_is_no_tuple() -> None:
    assert len(diff_dicts({"a": [1]}, {"a": (1,)})) == 1


def test_a_nan_that_stayed_is_no_change() -> None:
    nan = float("nan")
    assert diff_dicts({"a": nan, "b": [nan]}, {"a": nan, "b": [nan]}) == ()


def test_the_order_is_that_of_the_old_then_what_is_new() -> None:
    changes = diff_dicts({"z": 1, "m": {"x": 1}, "a": 1}, {"n": 1, "a": 2, "m": {"y": 1}})
    assert [c.path for c in changes] == [("z",), ("m", "x"), ("m", "y"), ("a",), ("n",)]


@given(nested, nested)
def test_applying_the_changes_gives_the_new_mapping(old: dict[str, object], new: dict[str, object]) -> None:
    assert diff_dicts(apply(old, diff_dicts(old, new)), new) == ()


@given(nested, nested)
def test_no_changes_exactly_when_both_print_alike(old: dict[str, object], new: dict[str, object]) -> None:
    def canonical(value: object) -> object:
        return {k: canonical(v) for k, v in sorted(value.items())} if isinstance(value, dict) else value

    assert (diff_dicts(old, new) == ()) == (repr(canonical(old)) == repr(canonical(new)))
