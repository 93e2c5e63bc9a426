import pytest
from subject import Account, InsufficientFunds


def test_series():
    a, b = Account("a", 20, 7), Account("b", 1)
    a.transfer(b, 9)
    b.transfer(a, 10)
    assert (a.balance, b.balance) == (21, 0)
    a.withdraw(28)
    assert a.balance == -7
    with pytest.raises(InsufficientFunds):
        a.withdraw(1)
    assert a.history == [("withdraw", 9), ("deposit", 10), ("withdraw", 28)]
    assert b.history == [("deposit", 9), ("withdraw", 10)]
    assert a.turnover() == 47
    assert a.largest("withdraw") == 28
    assert a.largest("deposit") == 10
    assert b.owner == "b"
    for bad in (0, -2):
        with pytest.raises(ValueError):
            b.deposit(bad)
        with pytest.raises(ValueError):
            b.withdraw(bad)
    assert b.balance == 0
