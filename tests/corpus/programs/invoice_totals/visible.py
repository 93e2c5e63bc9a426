import pytest
from subject import Invoice, Line, share


def invoice():
    one = Invoice("A1")
    one.add("desk", 10000)
    one.add("book", 1000, count=3, tax_percent=7)
    return one


def test_share():
    assert share(250, 19) == 48
    assert share(150, 1) == 2


def test_net():
    assert Line("x", 999, count=3, discount_percent=10).net == 2697


def test_taxes():
    assert invoice().taxes() == {7: 210, 19: 1900}


def test_no_tax():
    one = Invoice("A2")
    one.add("stamp", 80, tax_percent=0)
    assert one.taxes() == {}
    assert one.total() == 80


def test_total():
    assert invoice().total() == 15110


def test_negative():
    with pytest.raises(ValueError):
        Invoice("x").add("y", -1)
    with pytest.raises(ValueError):
        Invoice("x").add("y", 1, count=-1)


def test_pay():
    one = invoice()
    assert one.pay(5000) == 0
    assert one.pay(12000) == 1890
    assert one.paid == one.total()


def test_reminder():
    one = invoice()
    assert one.reminder(14) == 15110
    assert one.reminder(28) == 16110
    one.pay(15110)
    assert one.reminder(99) == 0
