"""A vending machine: slots with goods, coins in, goods and change out."""

from collections import Counter
from enum import Enum

COINS = (200, 100, 50, 20, 10)


class State(Enum):
    """What the machine is waiting for."""

    IDLE = "idle"
    PAYING = "paying"
    BROKEN = "broken"


class Refused(Exception):
    """The machine doesn't do that now."""


class VendingMachine:
    """Prices are in cents; `coins` is what the machine holds for change."""

    def __init__(self, slots, coins=None):
        self.slots = {name: list(slot) for name, slot in slots.items()}
        self.coins = Counter(coins or {})
        self.inserted = Counter()
        self.state = State.IDLE

    @property
    def credit(self):
        """The sum of the coins that were put in."""
        return sum(coin * number for coin, number in self.inserted.items())

    def insert(self, coin):
        """Put a coin in; the credit."""
        if self.state is State.BROKEN:
            raise Refused("out of order")
        if coin not in COINS:
            raise Refused(f"no coin of {coin}")
        self.inserted[coin] += 1
        self.state = State.PAYING
        return self.credit

    def _change(self, amount, available):
        change = Counter()
        for coin in COINS:
            number = min(amount // coin, available[coin])
            if number:
                change[coin] = number
                amount -= coin * number
        return None if amount else change

    def choose(self, name):
        """Buy from a slot; the change as {coin: number}. Refused when it can't be, and then the credit stays."""
        if self.state is not State.PAYING:
            raise Refused("pay first")
        if name not in self.slots:
            raise Refused(f"no slot {name}")
        price, count = self.slots[name]
        if count == 0:
            raise Refused("sold out")
        if self.credit < price:
            raise Refused(f"{price - self.credit} more")
        till = self.coins + self.inserted
        change = self._change(self.credit - price, till)
        if change is None:
            raise Refused("no change")
        self.slots[name][1] -= 1
        self.coins = till - change
        self.inserted = Counter()
        self.state = State.IDLE
        return dict(change)

    def cancel(self):
        """Give the coins back that were put in."""
        coins, self.inserted = self.inserted, Counter()
        if self.state is State.PAYING:
            self.state = State.IDLE
        return dict(coins)

    def break_down(self):
        """Be out of order, and give the coins back."""
        self.state = State.BROKEN
        return self.cancel()
