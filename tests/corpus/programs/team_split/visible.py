import pytest
from subject import rivals_of, split


def test_rivals():
    assert rivals_of([("a", "b"), ("b", "c")]) == {"a": {"b"}, "b": {"a", "c"}, "c": {"b"}}


def test_square():
    assert split("abcd", [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]) == (["a", "c"], ["b", "d"])


def test_triangle():
    assert split("abc", [("a", "b"), ("b", "c"), ("c", "a")]) is None


def test_no_rivals():
    assert split(["x", "y"], []) == (["x", "y"], [])


def test_first_of_the_list_is_in_the_first_team():
    assert split(["b", "a"], [("a", "b")]) == (["b"], ["a"])


def test_two_groups():
    assert split("abcd", [("a", "b"), ("d", "c")]) == (["a", "c"], ["b", "d"])


def test_unknown_person():
    with pytest.raises(KeyError):
        split(["a"], [("a", "z")])
