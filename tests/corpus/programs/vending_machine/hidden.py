import random
from collections import Counter

import pytest
from subject import COINS, Refused, State, VendingMachine


def worth(coins):
    return sum(coin * number for coin, number in coins.items())


def test_money_is_never_lost():
    rng = random.Random(0)
    sales = 0
    for _ in range(40):
        slots = {"a": (rng.choice([30, 70, 150]), 2), "b": (110, 1)}
        start = {coin: rng.randint(0, 3) for coin in COINS}
        machine = VendingMachine(slots, start)
        inside, stock = worth(start), {"a": 2, "b": 1}
        for _ in range(25):
            before = machine.credit
            kind = rng.choice(["insert", "insert", "choose", "cancel"])
            if kind == "insert":
                coin = rng.choice(COINS)
                assert machine.insert(coin) == before + coin
            elif kind == "cancel":
                assert worth(machine.cancel()) == before
                assert machine.credit == 0 and machine.state is State.IDLE
            else:
                name = rng.choice("ab")
                price = slots[name][0]
                try:
                    change = machine.choose(name)
                except Refused:
                    assert machine.credit == before
                else:
                    assert stock[name] > 0 and worth(change) == before - price
                    assert all(change.values())
                    stock[name] -= 1
                    inside += price
                    sales += 1
                    assert machine.credit == 0 and machine.state is State.IDLE
            assert worth(machine.coins) == inside
            assert all(number >= 0 for number in machine.coins.values())
            assert {name: slot[1] for name, slot in machine.slots.items()} == stock
    assert sales > 40


def test_reasons():
    machine = VendingMachine({"a": (100, 1), "b": (100, 0)}, {})
    with pytest.raises(Refused, match="pay first"):
        machine.choose("a")
    with pytest.raises(Refused, match="no coin of 7"):
        machine.insert(7)
    assert machine.state is State.IDLE
    machine.insert(50)
    for name, said in (("a", "^50 more"), ("b", "sold out"), ("c", "no slot c")):
        with pytest.raises(Refused, match=said):
            machine.choose(name)
    machine.insert(100)
    assert machine.choose("a") == {50: 1}
    machine.insert(10)
    with pytest.raises(Refused, match="sold out"):
        machine.choose("a")


def test_own_coins_are_change():
    machine = VendingMachine({"a": (90, 5)})
    for coin in (50, 20, 20, 10):
        machine.insert(coin)
    assert machine.choose("a") == {10: 1}
    assert machine.coins == Counter({50: 1, 20: 2})
    machine.insert(100)
    with pytest.raises(Refused, match="no change"):
        machine.choose("a")
    assert machine.coins == Counter({50: 1, 20: 2})


def test_given_things_are_left_alone():
    slots, coins = {"a": [10, 1]}, {10: 1}
    machine = VendingMachine(slots, coins)
    machine.insert(20)
    assert machine.choose("a") == {10: 1}
    assert slots == {"a": [10, 1]} and coins == {10: 1}


def test_broken():
    machine = VendingMachine({"a": (10, 1)})
    assert machine.break_down() == {}
    assert machine.cancel() == {}
    assert machine.state is State.BROKEN
    with pytest.raises(Refused, match="out of order"):
        machine.insert(10)
    with pytest.raises(Refused, match="pay first"):
        machine.choose("a")
