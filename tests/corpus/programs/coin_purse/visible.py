import pytest
from subject import fewest_coins, ways_to_pay


def test_greedy_would_be_wrong():
    assert fewest_coins(6, [1, 3, 4]) == {3: 2}


def test_change():
    assert fewest_coins(68, [1, 2, 5, 10, 20, 50]) == {50: 1, 10: 1, 5: 1, 2: 1, 1: 1}


def test_impossible():
    assert fewest_coins(7, [5, 3]) is None


def test_nothing_to_pay():
    assert fewest_coins(0, [5]) == {}


def test_bad_arguments():
    with pytest.raises(ValueError):
        fewest_coins(-1, [1])
    with pytest.raises(ValueError):
        fewest_coins(3, [0, 1])


def test_ways():
    assert ways_to_pay(10, [1, 5, 10]) == 4
    assert ways_to_pay(4, [1, 2, 3]) == 4
    assert ways_to_pay(3, [2]) == 0


def test_a_coin_named_twice():
    assert ways_to_pay(4, [2, 2]) == 1
