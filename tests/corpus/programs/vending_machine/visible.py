import pytest
from subject import Refused, State, VendingMachine


def machine():
    return VendingMachine({"tea": (150, 2), "gum": (60, 1)}, {10: 3, 20: 2, 50: 1})


def test_buy_with_change():
    one = machine()
    one.insert(200)
    assert one.choose("tea") == {50: 1}
    assert one.slots["tea"] == [150, 1]
    assert one.state is State.IDLE


def test_credit():
    one = machine()
    assert one.insert(100) == 100
    assert one.insert(20) == 120
    assert one.state is State.PAYING


def test_refused():
    one = machine()
    with pytest.raises(Refused):
        one.choose("tea")
    with pytest.raises(Refused):
        one.insert(5)
    one.insert(100)
    for name in ("tea", "cola"):
        with pytest.raises(Refused):
            one.choose(name)
    assert one.credit == 100


def test_sold_out():
    one = machine()
    for _ in range(2):
        one.insert(50)
        one.insert(20)
        if one.slots["gum"][1]:
            assert one.choose("gum") == {10: 1}
    with pytest.raises(Refused):
        one.choose("gum")


def test_no_change():
    one = VendingMachine({"tea": (150, 1)})
    one.insert(200)
    with pytest.raises(Refused):
        one.choose("tea")
    assert one.cancel() == {200: 1}
    assert one.slots["tea"] == [150, 1]


def test_cancel():
    one = machine()
    one.insert(50)
    one.insert(50)
    assert one.cancel() == {50: 2}
    assert one.credit == 0
    assert one.state is State.IDLE


def test_break_down():
    one = machine()
    one.insert(10)
    assert one.break_down() == {10: 1}
    assert one.state is State.BROKEN
    with pytest.raises(Refused):
        one.insert(10)
