import pytest
from subject import NeverPaidBack, Payment, monthly_interest, plan, smallest_rate, summary


def test_interest():
    assert monthly_interest(120000, 600) == 600
    assert monthly_interest(100, 600) == 1
    assert monthly_interest(99, 600) == 0


def test_plan():
    assert list(plan(100000, 1200, 40000)) == [
        Payment(1, 1000, 39000, 61000),
        Payment(2, 610, 39390, 21610),
        Payment(3, 216, 21610, 0),
    ]


def test_without_interest():
    assert [p.total for p in plan(1000, 0, 400)] == [400, 400, 200]


def test_extra():
    payments = list(plan(1000, 0, 300, extra={2: 300}))
    assert [p.left for p in payments] == [700, 100, 0]


def test_never():
    with pytest.raises(NeverPaidBack):
        list(plan(100000, 1200, 1000))


def test_smallest_rate():
    assert smallest_rate(1200, 0, 12) == 100
    rate = smallest_rate(100000, 1200, 3)
    assert len(list(plan(100000, 1200, rate))) == 3
    assert len(list(plan(100000, 1200, rate - 1))) == 4


def test_summary():
    assert summary(list(plan(100000, 1200, 40000))) == "3 months, 1018.26 in all, 1.8% of it interest"
    assert summary([]) == "nothing to pay"
