import pytest
from subject import Account, AccountClosed, AccountError, InsufficientFunds


def account(cents=1000, **options):
    one = Account("ann", **options)
    one.deposit(cents)
    return one


def test_deposit_and_withdraw():
    one = account()
    one.withdraw(300)
    assert one.balance == 700
    with pytest.raises(ValueError):
        one.deposit(0)


def test_insufficient():
    one = account(100, overdraft=50)
    with pytest.raises(InsufficientFunds) as caught:
        one.withdraw(170)
    assert caught.value.missing == 20
    one.withdraw(150)
    assert one.balance == -50


def test_transfer():
    one, other = account(), Account("bob")
    one.transfer(other, 400)
    assert (one.balance, other.balance) == (600, 400)
    assert other.statement() == [("from ann", 400, 400)]
    with pytest.raises(AccountError):
        one.transfer(one, 1)


def test_transfer_to_a_closed_account():
    one, other = account(), Account("bob")
    other.close()
    with pytest.raises(AccountClosed):
        one.transfer(other, 10)
    assert one.balance == 1000


def test_hold():
    one = account()
    one.hold("hotel", 800)
    assert one.available == 200
    assert one.balance == 1000
    with pytest.raises(InsufficientFunds):
        one.withdraw(300)
    one.hold("hotel", 900)
    assert one.available == 100


def test_capture_and_release():
    one = account()
    one.hold("hotel", 800)
    one.capture("hotel")
    assert one.balance == 200
    assert one.release("hotel") is False
    with pytest.raises(KeyError):
        one.capture("hotel")


def test_close():
    one = account()
    with pytest.raises(AccountError):
        one.close()
    one.withdraw(1000)
    one.close()
    with pytest.raises(AccountClosed):
        one.deposit(5)


def test_statement():
    one = account()
    one.withdraw(200, note="rent")
    assert one.statement(last=1) == [("rent", -200, 800)]
    assert len(one.statement()) == 2
    assert one.statement(last=0) == []
