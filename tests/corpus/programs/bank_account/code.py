"""Bank accounts with limits, holds and a history."""


class AccountError(Exception):
    """Something that an account doesn't do."""


class InsufficientFunds(AccountError):
    """More was wanted than is there; `missing` says how much more, in cents."""

    def __init__(self, missing):
        super().__init__(f"{missing} cents are missing")
        self.missing = missing


class AccountClosed(AccountError):
    """The account was closed."""


class Account:
    """An account in cents; it may be overdrawn down to `-overdraft`."""

    def __init__(self, owner, overdraft=0):
        self.owner = owner
        self.overdraft = overdraft
        self.closed = False
        self._balance = 0
        self._holds = {}
        self._history = []

    @property
    def balance(self):
        """What is on the account."""
        return self._balance

    @property
    def available(self):
        """What can be taken: without the sums on hold, with the overdraft."""
        return self._balance + self.overdraft - sum(self._holds.values())

    def _check(self, cents):
        if self.closed:
            raise AccountClosed(self.owner)
        if cents <= 0:
            raise ValueError("an amount is above zero")

    def deposit(self, cents, note="deposit"):
        """Put money in."""
        self._check(cents)
        self._balance += cents
        self._history.append((note, cents))

    def withdraw(self, cents, note="withdrawal"):
        """Take money out."""
        self._check(cents)
        if cents > self.available:
            raise InsufficientFunds(cents - self.available)
        self._balance -= cents
        self._history.append((note, -cents))

    def transfer(self, other, cents):
        """Give money to another account, wholly or not at all."""
        if other is self:
            raise AccountError("an account can't pay itself")
        other._check(cents)
        self.withdraw(cents, f"to {other.owner}")
        other.deposit(cents, f"from {self.owner}")

    def hold(self, name, cents):
        """Set a sum aside, in place of the one of that name."""
        self._check(cents)
        free = self.available + self._holds.get(name, 0)
        if cents > free:
            raise InsufficientFunds(cents - free)
        self._holds[name] = cents

    def capture(self, name):
        """Take a sum that was set aside; KeyError if there is none."""
        cents = self._holds.pop(name)
        self.withdraw(cents, name)

    def release(self, name):
        """Set a sum free again; False if there is none."""
        return self._holds.pop(name, None) is not None

    def close(self):
        """Close the account; only an empty one without holds can be."""
        if self._balance != 0 or self._holds:
            raise AccountError("the account is in use")
        self.closed = True

    def statement(self, last=None):
        """(note, change, balance) of the last so many entries, or of all."""
        rows, balance = [], 0
        for note, change in self._history:
            balance += change
            rows.append((note, change, balance))
        return rows if last is None else rows[len(rows) - min(last, len(rows)) :]
