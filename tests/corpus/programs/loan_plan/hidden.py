import random
from decimal import ROUND_HALF_UP, Decimal

import pytest
from subject import NeverPaidBack, Payment, monthly_interest, plan, smallest_rate, summary


def test_random_plans():
    rng = random.Random(0)
    for _ in range(50):
        loan, points = rng.randint(1, 50000), rng.choice([0, 150, 499, 1200])
        rate = monthly_interest(loan, points) + rng.randint(loan // 20 + 1, loan + 5)
        extra = {rng.randint(1, 6): rng.randint(1, 500) for _ in range(rng.randint(0, 2))}
        payments = list(plan(loan, points, rate, extra))
        assert [p.month for p in payments] == list(range(1, len(payments) + 1))
        assert sum(p.principal for p in payments) == loan
        left = loan
        for p in payments:
            exact = Decimal(left) * points / Decimal(120000)
            assert p.interest == int(exact.quantize(Decimal(1), ROUND_HALF_UP))
            assert p.left == left - p.principal
            assert p.total == p.interest + p.principal
            if p.left:
                assert p.total == rate + extra.get(p.month, 0)
            else:
                assert p.total <= rate + extra.get(p.month, 0)
            left = p.left
        assert left == 0


def test_smallest_rates():
    rng = random.Random(1)
    for _ in range(15):
        loan, points, months = rng.randint(100, 5000), rng.choice([0, 300, 900]), rng.randint(1, 12)
        rate = smallest_rate(loan, points, months)
        assert len(list(plan(loan, points, rate))) <= months
        if rate > monthly_interest(loan, points) + 1:
            assert len(list(plan(loan, points, rate - 1))) > months


def test_never_paid_back():
    for rate in (0, 99, 100):
        with pytest.raises(NeverPaidBack, match=f"{rate} a month"):
            next(plan(12000, 1000, rate))
    assert next(plan(12000, 1000, 101)).principal == 1
    with pytest.raises(ValueError):
        next(plan(100, 0, 0))


def test_extras_are_left_alone():
    extra = {1: 5000, 7: 1}
    assert list(plan(300, 0, 100, extra)) == [Payment(1, 0, 300, 0)]
    assert extra == {1: 5000, 7: 1}
    assert list(plan(300, 0, 300)) == list(plan(300, 0, 300, {}))


def test_summaries():
    assert summary([Payment(1, 0, 50, 0)]) == "1 months, 0.50 in all, 0.0% of it interest"
    assert summary([Payment(1, 50, 50, 0)]) == "1 months, 1.00 in all, 50.0% of it interest"
    assert list(plan(0, 0, 1)) == []
    assert summary([]) == "nothing to pay"


def test_interest_of_large_loans():
    assert monthly_interest(12_000_000_000, 100) == 10_000_000
    assert monthly_interest(600, 100) == 1
    assert monthly_interest(599, 100) == 0
