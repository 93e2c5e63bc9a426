"""Paying with coins: the fewest of them, and in how many ways."""

from collections import Counter


def fewest_coins(amount: int, coins: list[int]) -> Counter[int] | None:
    """The fewest coins that make the amount, each with its number; None where none do.

    Raises ValueError for a negative amount and for a coin without a value.
    """
    if amount < 0:
        raise ValueError("the amount is negative")
    if any(coin <= 0 for coin in coins):
        raise ValueError("a coin has no value")
    count = [0] + [amount + 1] * amount
    last = [0] * (amount + 1)
    for total in range(1, amount + 1):
        for coin in coins:
            if coin <= total and count[total - coin] + 1 < count[total]:
                count[total] = count[total - coin] + 1
                last[total] = coin
    if count[amount] > amount:
        return None
    purse: Counter[int] = Counter()
    while amount > 0:
        purse[last[amount]] += 1
        amount -= last[amount]
    return purse


def ways_to_pay(amount: int, coins: list[int]) -> int:
    """In how many ways coins make the amount; their order doesn't matter."""
    ways = [1] + [0] * amount
    for coin in sorted(set(coins)):
        for total in range(coin, amount + 1):
            ways[total] += ways[total - coin]
    return ways[amount]
