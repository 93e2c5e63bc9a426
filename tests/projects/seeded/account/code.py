"""Accounts with a history."""


class InsufficientFunds(Exception):
    """There is not enough money."""


class Account:
    """An account that may not go below its limit."""

    def __init__(self, owner, balance=0, limit=0):
        self.owner = owner
        self.balance = balance
        self.limit = limit
        self.history = []

    def deposit(self, amount):
        """Put money in."""
        if amount <= 0:
            raise ValueError("the amount must be positive")
        self.balance += amount
        self.history.append(("deposit", amount))

    def withdraw(self, amount):
        """Take money out."""
        if amount <= 0:
            raise ValueError("the amount must be positive")
        if self.balance - amount < -self.limit:
            raise InsufficientFunds(self.owner)
        self.balance -= amount
        self.history.append(("withdraw", amount))

    def transfer(self, other, amount):
        """Move money to another account."""
        self.withdraw(amount)
        other.deposit(amount)

    def turnover(self):
        """What was moved in all."""
        return sum(amount for _, amount in self.history)

    def largest(self, kind):
        """The largest movement of a kind, 0 if there was none."""
        return max((amount for what, amount in self.history if what == kind), default=0)
