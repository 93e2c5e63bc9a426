import random

import pytest
from subject import Account, AccountClosed, AccountError, InsufficientFunds


def test_random_days():
    rng = random.Random(0)
    for _ in range(40):
        overdraft = rng.choice([0, 50])
        account, balance, holds, entries = Account("a", overdraft), 0, {}, []
        for _ in range(30):
            kind, cents = rng.choice(["in", "out", "hold", "capture", "release"]), rng.randint(1, 90)
            name = rng.choice("xy")
            free = balance + overdraft - sum(holds.values())
            if kind == "in":
                account.deposit(cents)
                balance += cents
                entries.append(("deposit", cents, balance))
            elif kind == "out":
                if cents > free:
                    with pytest.raises(InsufficientFunds, match=f"{cents - free} cents"):
                        account.withdraw(cents)
                else:
                    account.withdraw(cents)
                    balance -= cents
                    entries.append(("withdrawal", -cents, balance))
            elif kind == "hold":
                missing = cents - free - holds.get(name, 0)
                if missing > 0:
                    with pytest.raises(InsufficientFunds) as caught:
                        account.hold(name, cents)
                    assert caught.value.missing == missing
                else:
                    account.hold(name, cents)
                    holds[name] = cents
            elif kind == "capture" and name in holds:
                account.capture(name)
                balance -= holds[name]
                entries.append((name, -holds.pop(name), balance))
            elif kind == "release":
                assert account.release(name) is (holds.pop(name, None) is not None)
            assert account.balance == balance
            assert account.available == balance + overdraft - sum(holds.values())
        assert account.statement() == entries
        for last in (0, 1, 5, 100):
            assert account.statement(last) == (entries[-last:] if last else [])


def test_transfers_are_whole():
    one, other = Account("a"), Account("b")
    one.deposit(10)
    with pytest.raises(InsufficientFunds):
        one.transfer(other, 11)
    with pytest.raises(ValueError):
        one.transfer(other, -5)
    assert (one.balance, other.balance) == (10, 0)
    assert len(one.statement()) == 1 and other.statement() == []
    one.transfer(other, 10)
    assert one.statement()[-1] == ("to b", -10, 0)
    with pytest.raises(AccountError, match="itself"):
        one.transfer(one, 1)


def test_amounts():
    account = Account("a", overdraft=5)
    for act in (account.deposit, account.withdraw, lambda cents: account.hold("h", cents)):
        for cents in (0, -1):
            with pytest.raises(ValueError, match="above zero"):
                act(cents)
    account.withdraw(5)
    with pytest.raises(InsufficientFunds):
        account.withdraw(1)


def test_closing():
    account = Account("a", overdraft=10)
    account.hold("h", 5)
    with pytest.raises(AccountError, match="in use"):
        account.close()
    assert account.release("h") is True
    assert account.closed is False
    account.close()
    assert account.closed is True
    for act in (account.deposit, account.withdraw, lambda cents: account.hold("h", cents)):
        with pytest.raises(AccountClosed, match="a"):
            act(1)
    overdrawn = Account("b", overdraft=9)
    overdrawn.withdraw(9)
    with pytest.raises(AccountError):
        overdrawn.close()
