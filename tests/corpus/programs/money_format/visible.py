from decimal import Decimal

import pytest
from subject import grouped, read, short, show


def test_grouped():
    assert grouped("1234567", ",") == "1,234,567"
    assert grouped("123", ",") == "123"


def test_show():
    assert show(Decimal("1234.5")) == "1.234,50 €"
    assert show("1234.5", "USD") == "$1,234.50"
    assert show("1000000", "CHF") == "CHF 1'000'000.00"


def test_signs():
    assert show("-3.1", "USD") == "-$3.10"
    assert show("3.1", "USD", signed=True) == "+$3.10"
    assert show("0", signed=True) == "0,00 €"


def test_rounding():
    assert show("0.125", "GBP") == "£0.12"
    assert show("0.135", "GBP") == "£0.14"


def test_read():
    assert read("1.234,50 €") == Decimal("1234.50")
    assert read("-$1,000", "USD") == Decimal(-1000)


def test_no_amount():
    for text in ("", "€", "1,2,3", "12.34", "abc"):
        with pytest.raises(ValueError):
            read(text)


def test_short():
    assert [short(n) for n in (950, 1000, 1290, 3400000, -15999)] == ["950", "1k", "1.2k", "3.4M", "-15.9k"]
