import pytest
from subject import Ledger, split_evenly, tip


def journey():
    ledger = Ledger()
    ledger.expense("ann", 9000, "ann", "bob", "cid")
    ledger.expense("bob", 3000, "ann", "bob", "cid")
    return ledger


def test_split():
    assert split_evenly(100, 3) == [34, 33, 33]
    assert split_evenly(90, 3) == [30, 30, 30]
    with pytest.raises(ValueError):
        split_evenly(1, 0)


def test_balances():
    assert journey().balances() == {"ann": 5000, "bob": -1000, "cid": -4000}


def test_paying_for_others_only():
    ledger = Ledger()
    ledger.expense("bob", 100, "cid", "ann", "dot")
    assert ledger.balances() == {"ann": -34, "bob": 100, "cid": -33, "dot": -33}


def test_settle():
    assert journey().settle() == [("cid", "ann", 4000), ("bob", "ann", 1000)]


def test_settled():
    ledger = Ledger()
    ledger.expense("ann", 50, "ann")
    assert ledger.settle() == []
    assert ledger.balances() == {"ann": 0}


def test_settle_twice():
    ledger = journey()
    assert ledger.settle() == ledger.settle()


def test_tip():
    assert tip(4210, 10) == 4650
    assert tip(1000, 10, step=100) == 1100
