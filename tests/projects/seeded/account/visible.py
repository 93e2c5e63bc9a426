import pytest
from subject import Account, InsufficientFunds


def test_deposit():
    a = Account("ann", 5)
    a.deposit(10)
    assert a.balance == 15
    assert a.history == [("deposit", 10)]


def test_deposit_refuses():
    for amount in (0, -1):
        with pytest.raises(ValueError):
            Account("ann").deposit(amount)


def test_withdraw():
    a = Account("ann", 10)
    a.withdraw(10)
    assert a.balance == 0
    assert a.history == [("withdraw", 10)]


def test_withdraw_limit():
    a = Account("ann", 10, limit=5)
    a.withdraw(15)
    assert a.balance == -5
    with pytest.raises(InsufficientFunds):
        a.withdraw(1)


def test_withdraw_refuses():
    with pytest.raises(ValueError):
        Account("ann", 5).withdraw(0)
    with pytest.raises(ValueError):
        Account("ann", 5).withdraw(-3)


def test_transfer():
    a, b = Account("ann", 10), Account("bob")
    a.transfer(b, 4)
    assert (a.balance, b.balance) == (6, 4)


def test_turnover():
    a = Account("ann", 10)
    a.deposit(3)
    a.withdraw(5)
    assert a.turnover() == 8


def test_largest():
    a = Account("ann", 100)
    for amount in (3, 9, 4):
        a.withdraw(amount)
    a.deposit(50)
    assert a.largest("withdraw") == 9
    assert Account("bob").largest("deposit") == 0
