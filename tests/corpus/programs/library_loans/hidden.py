import datetime as dt
import random

import pytest
from subject import Book, Desk, Loan, Member, NotAllowed, fine

DAY = dt.date(2024, 1, 1)


def later(days):
    return DAY + dt.timedelta(days=days)


def test_fines_day_by_day():
    total = 0
    for late in range(1, 60):
        total = min(total + (20 if late <= 7 else 50), 1000)
        assert fine(DAY, later(late)) == total
        assert fine(later(late), DAY) == 0


def test_random_days():
    rng = random.Random(0)
    for _ in range(40):
        copies = {"A": 2, "B": 1}
        desk = Desk([Book(t, n, days=5) for t, n in copies.items()])
        members = [Member(n, limit=rng.randint(1, 2)) for n in "xyz"]
        waiting = {"A": [], "B": []}
        day = 0
        for _ in range(30):
            day += rng.randint(0, 3)
            member, title = rng.choice(members), rng.choice("AB")
            has = [loan for loan in member.loans if loan.book.title == title]
            out = sum(loan.book.title == title for m in members for loan in m.loans)
            assert desk.free(title) == copies[title] - out
            kind = rng.choice(["lend", "lend", "back", "renew", "wait", "pay"])
            queue = waiting[title]
            if kind == "lend":
                ahead = queue.index(member.name) if member.name in queue else len(queue)
                if member.owes or len(member.loans) >= member.limit or copies[title] - out <= ahead:
                    with pytest.raises(NotAllowed):
                        desk.lend(member, title, later(day))
                else:
                    assert desk.lend(member, title, later(day)) == Loan(Book(title, copies[title], 5), later(day + 5))
                    if member.name in queue:
                        queue.remove(member.name)
            elif kind == "back":
                if not has:
                    with pytest.raises(LookupError):
                        desk.bring_back(member, title, later(day))
                    continue
                owed, count = member.owes, len(member.loans)
                cents = desk.bring_back(member, title, later(day))
                assert cents == fine(has[0].due, later(day))
                assert (member.owes, len(member.loans)) == (owed + cents, count - 1)
            elif kind == "renew" and has:
                loan = has[0]
                before = loan.renewals
                if before == 2 or queue or loan.due < later(day):
                    with pytest.raises(NotAllowed):
                        desk.renew(member, title, later(day))
                    assert loan.renewals == before
                else:
                    assert desk.renew(member, title, later(day)) == loan.due == later(day + 5)
                    assert loan.renewals == before + 1
            elif kind == "wait" and rng.random() < 0.5:
                if member.name not in queue:
                    queue.append(member.name)
                assert desk.wait_for(member, title) == queue.index(member.name) + 1
            elif kind == "pay":
                member.owes = 0


def test_reasons():
    desk, ann = Desk([Book("A"), Book("B")]), Member("ann", limit=1)
    desk.lend(ann, "A", DAY)
    assert ann.loans[0].due == dt.date(2024, 1, 29)
    with pytest.raises(NotAllowed, match="too many"):
        desk.lend(ann, "B", DAY)
    with pytest.raises(NotAllowed, match="overdue"):
        desk.renew(ann, "A", later(29))
    assert desk.renew(ann, "A", later(28)) == later(56)
    bob = Member("bob", owes=1)
    with pytest.raises(NotAllowed, match="fines"):
        desk.lend(bob, "B", DAY)
    assert desk.wait_for(bob, "A") == 1
    with pytest.raises(NotAllowed, match="waits"):
        desk.renew(ann, "A", DAY)
    with pytest.raises(NotAllowed, match="no copy"):
        desk.lend(Member("cid"), "A", DAY)
    with pytest.raises(LookupError, match="bob doesn't have A"):
        desk.renew(bob, "A", DAY)


def test_unknown_titles():
    desk = Desk([])
    for act in (desk.free, lambda t: desk.wait_for(Member("a"), t), lambda t: desk.lend(Member("a"), t, DAY)):
        with pytest.raises(KeyError, match="Z"):
            act("Z")
    assert Member("a").loans is not Member("b").loans
    assert Member("a").limit == 3


def test_often_renewed():
    desk, ann = Desk([Book("A", days=1)]), Member("ann")
    desk.lend(ann, "A", DAY)
    for day in (0, 1):
        desk.renew(ann, "A", later(day))
    with pytest.raises(NotAllowed, match="often"):
        desk.renew(ann, "A", later(2))


def test_one_copy_by_default():
    desk = Desk([Book("A")])
    assert desk.free("A") == 1
    desk.lend(Member("x"), "A", DAY)
    with pytest.raises(NotAllowed, match="no copy"):
        desk.lend(Member("y"), "A", DAY)
