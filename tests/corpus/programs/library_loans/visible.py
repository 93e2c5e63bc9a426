import datetime as dt

import pytest
from subject import Book, Desk, Member, NotAllowed, fine

DAY = dt.date(2024, 5, 1)


def desk():
    return Desk([Book("Emma", 2), Book("Dune", 1, days=14)])


def later(days):
    return DAY + dt.timedelta(days=days)


def test_lend():
    one, ann = desk(), Member("ann")
    loan = one.lend(ann, "Dune", DAY)
    assert loan.due == dt.date(2024, 5, 15)
    assert one.free("Dune") == 0
    assert ann.loans == [loan]


def test_no_copy():
    one = desk()
    one.lend(Member("ann"), "Dune", DAY)
    with pytest.raises(NotAllowed):
        one.lend(Member("bob"), "Dune", DAY)
    with pytest.raises(KeyError):
        one.lend(Member("bob"), "Ulysses", DAY)


def test_limit_and_fines():
    ann = Member("ann", limit=1)
    one = desk()
    one.lend(ann, "Emma", DAY)
    with pytest.raises(NotAllowed):
        one.lend(ann, "Dune", DAY)
    with pytest.raises(NotAllowed):
        one.lend(Member("bob", owes=5), "Dune", DAY)


def test_bring_back():
    one, ann = desk(), Member("ann")
    one.lend(ann, "Dune", DAY)
    assert one.bring_back(ann, "Dune", later(16)) == 40
    assert (ann.owes, ann.loans, one.free("Dune")) == (40, [], 1)
    with pytest.raises(LookupError):
        one.bring_back(ann, "Dune", DAY)


def test_fine():
    assert [fine(DAY, later(n)) for n in (-3, 0, 1, 7, 8, 60)] == [0, 0, 20, 140, 190, 1000]


def test_renew():
    one, ann = desk(), Member("ann")
    one.lend(ann, "Dune", DAY)
    assert one.renew(ann, "Dune", later(10)) == later(24)
    one.renew(ann, "Dune", later(11))
    with pytest.raises(NotAllowed):
        one.renew(ann, "Dune", later(12))


def test_overdue_is_not_renewed():
    one, ann = desk(), Member("ann")
    one.lend(ann, "Dune", DAY)
    with pytest.raises(NotAllowed):
        one.renew(ann, "Dune", later(15))


def test_waiting():
    one, ann, bob, cid = desk(), Member("ann"), Member("bob"), Member("cid")
    one.lend(ann, "Dune", DAY)
    assert one.wait_for(bob, "Dune") == 1
    assert one.wait_for(cid, "Dune") == 2
    with pytest.raises(NotAllowed):
        one.renew(ann, "Dune", DAY)
    one.bring_back(ann, "Dune", DAY)
    with pytest.raises(NotAllowed):
        one.lend(cid, "Dune", DAY)
    one.lend(bob, "Dune", DAY)
