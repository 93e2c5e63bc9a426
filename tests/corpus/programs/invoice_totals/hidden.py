import random
from decimal import ROUND_HALF_UP, Decimal

import pytest
from subject import Invoice, Line, share


def rounded(value):
    return int(value.quantize(Decimal(1), ROUND_HALF_UP))


def test_against_decimals():
    rng = random.Random(0)
    for _ in range(60):
        one, nets = Invoice("n"), {}
        for _ in range(rng.randint(0, 6)):
            price, count = rng.randint(0, 999), rng.randint(0, 4)
            tax, discount = rng.choice([0, 7, 19]), rng.choice([0, 3, 50, 100])
            line = one.add("t", price, count=count, tax_percent=tax, discount_percent=discount)
            net = price * count - rounded(Decimal(price * count * discount) / 100)
            assert line.net == net
            nets[tax] = nets.get(tax, 0) + net
        taxes = {t: rounded(Decimal(n * t) / 100) for t, n in nets.items() if t}
        assert one.taxes() == taxes
        assert list(one.taxes()) == sorted(taxes)
        assert one.total() == sum(nets.values()) + sum(taxes.values())


def test_share_rounds_halves_up():
    assert [share(n, 50) for n in range(5)] == [0, 1, 1, 2, 2]
    assert share(49, 1) == 0
    assert share(50, 1) == 1
    assert share(7, 100) == 7


def test_payments():
    one = Invoice("n")
    assert one.pay(5) == 5
    one.add("t", 100, tax_percent=0)
    assert one.pay(100) == 0
    assert one.pay(1) == 1
    assert one.paid == 100


def test_reminders():
    one = Invoice("n", due_days=10)
    one.add("t", 1000, tax_percent=0)
    one.pay(400)
    assert [one.reminder(d) for d in (0, 10, 11, 16, 17, 24)] == [600, 600, 600, 600, 1100, 1600]
    assert one.reminder(31, fee=10) == 630
    one.pay(600)
    assert one.reminder(17) == 0


def test_invoices_are_apart():
    one, other = Invoice("1"), Invoice("2")
    one.add("x", 0, count=0)
    assert other.lines == []
    assert one.lines == [Line("x", 0, 0)]
    assert (one.due_days, one.lines[0].tax_percent) == (14, 19)
    with pytest.raises(ValueError, match="pens: prices"):
        other.add("pens", 5, count=-2)
    assert other.lines == []
