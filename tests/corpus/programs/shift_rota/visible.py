import pytest
from subject import RotaError, hours, may_work, plan, swap


def test_plan():
    assert plan(["a", "b", "c", "d"], 2) == {
        0: {"early": "a", "late": "b", "night": "c"},
        1: {"early": "d", "late": "a", "night": "b"},
    }


def test_away():
    rota = plan(["a", "b", "c", "d"], 1, away={"a": [0]})
    assert rota[0] == {"early": "b", "late": "c", "night": "d"}


def test_nobody():
    with pytest.raises(RotaError):
        plan(["a", "b"], 1)


def test_may_work():
    rota = {0: {"night": "a"}, 1: {"late": "b"}}
    assert not may_work(rota, "a", 1, "early")
    assert may_work(rota, "a", 1, "late")
    assert not may_work(rota, "b", 1, "night")


def test_night_before_early():
    assert not may_work({1: {"early": "a"}}, "a", 0, "night")
    assert may_work({1: {"early": "a"}}, "a", 0, "late")


def test_swap():
    rota = plan(["a", "b", "c", "d"], 2)
    changed = swap(rota, (0, "early"), (0, "late"))
    assert changed[0] == {"early": "b", "late": "a", "night": "c"}
    assert rota[0]["early"] == "a"


def test_swap_that_is_not_allowed():
    rota = plan(["a", "b", "c", "d"], 2)
    with pytest.raises(RotaError):
        swap(rota, (0, "late"), (1, "early"))


def test_hours():
    rota = {0: {"early": "a", "late": "b", "night": "c"}, 1: {"early": "a"}}
    assert hours(rota) == {"a": 16, "b": 8, "c": 9}
