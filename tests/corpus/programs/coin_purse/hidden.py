import itertools
import random

import pytest
from subject import fewest_coins, ways_to_pay


def all_ways(amount, coins):
    ranges = [range(amount // coin + 1) for coin in coins]
    return [n for n in itertools.product(*ranges) if sum(a * b for a, b in zip(n, coins, strict=True)) == amount]


def test_against_all_ways():
    rng = random.Random(0)
    for _ in range(40):
        coins = rng.sample(range(1, 9), rng.randint(1, 3))
        amount = rng.randint(0, 16)
        ways = all_ways(amount, coins)
        assert ways_to_pay(amount, coins) == len(ways)
        purse = fewest_coins(amount, coins)
        if not ways:
            assert purse is None
            continue
        assert sum(coin * n for coin, n in purse.items()) == amount
        assert sum(purse.values()) == min(map(sum, ways))
        assert set(purse) <= set(coins)


def test_edges():
    assert fewest_coins(1, [1]) == {1: 1}
    assert fewest_coins(5, [5]) == {5: 1}
    assert fewest_coins(4, [5]) is None
    assert fewest_coins(0, []) == {}
    assert fewest_coins(1, []) is None
    assert ways_to_pay(0, [3]) == 1
    assert ways_to_pay(0, []) == 1
    assert ways_to_pay(5, []) == 0


def test_all_ones():
    assert fewest_coins(9, [1]) == {1: 9}
    assert ways_to_pay(100, [1, 5, 10, 25, 50]) == 292


def test_messages():
    with pytest.raises(ValueError, match="negative"):
        fewest_coins(-5, [])
    with pytest.raises(ValueError, match="no value"):
        fewest_coins(5, [-2, 1])


def test_worthless_coin():
    with pytest.raises(ValueError, match="no value"):
        fewest_coins(0, [5, 0])
