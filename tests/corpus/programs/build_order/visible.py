import pytest
from subject import Cycle, build_order, stages

NEEDS = {"app": ["lib", "ui"], "ui": ["lib"], "tests": ["app"]}


def test_order():
    assert build_order(NEEDS) == ["lib", "ui", "app", "tests"]


def test_independent_by_alphabet():
    assert build_order({"c": [], "a": [], "b": []}) == ["a", "b", "c"]


def test_cycle():
    with pytest.raises(Cycle) as caught:
        build_order({"a": ["b"], "b": ["c"], "c": ["b"]})
    assert caught.value.ring == ["b", "c", "b"]
    assert str(caught.value) == "b -> c -> b"


def test_shared_need_is_built_once():
    assert build_order({"x": ["z"], "y": ["z"]}) == ["z", "x", "y"]


def test_stages():
    assert stages(NEEDS) == [["lib"], ["ui"], ["app"], ["tests"]]
    assert stages({"x": ["z"], "y": ["z"], "w": []}) == [["w", "z"], ["x", "y"]]


def test_nothing():
    assert build_order({}) == []
    assert stages({}) == []
