import random
from decimal import Decimal

import pytest
from subject import STYLES, grouped, read, short, show


def test_there_and_back():
    rng = random.Random(0)
    for _ in range(200):
        cents = rng.choice([-1, 1]) * rng.randrange(10 ** rng.randint(1, 10))
        amount = Decimal(cents) / 100
        for currency in STYLES:
            text = show(amount, currency)
            assert read(text, currency) == amount
            assert show(amount, currency, signed=True) == ("+" + text if amount > 0 else text)
        english = f"{abs(amount):,.2f}"
        sign = "-" if amount < 0 else ""
        assert show(amount, "USD") == sign + "$" + english
        assert show(amount) == sign + english.translate(str.maketrans(",.", ".,")) + " €"


def test_groups():
    for n in (0, 9, 99, 999, 1000, 99999, 100000, 1234567890):
        assert grouped(str(n), ",") == f"{n:,}"
    assert grouped("12345", " ", size=2) == "1 23 45"
    assert grouped("", ",") == ""


def test_rounding_to_nothing():
    assert show("-0.004", "USD") == "$0.00"
    assert show("0.004", "USD", signed=True) == "$0.00"
    assert show("0.995", "USD") == "$1.00"
    assert show("0.985", "USD") == "$0.98"


def test_reading():
    assert read("1234567,8") == Decimal("1234567.8")
    assert read("+5 €") == 5
    assert read("CHF 1'234.50", "CHF") == Decimal("1234.50")
    assert read("1.234") == 1234
    for text in ("1.23", "1.2345", "1,234.5", "1,", "--1", "1,234", ".5", "1 €€x", "1-"):
        with pytest.raises(ValueError, match="in EUR"):
            read(text)
    with pytest.raises(KeyError):
        show("1", "XXY")


def test_short_amounts():
    for n in [0, 1, 999, 1000, 1099, 1100, 9999, 10000, 999999, 10**6, 1990000, 10**9, 2500000000, 10**12]:
        for value in (n, -n):
            limit, letter = next((p for p in ((10**9, "G"), (10**6, "M"), (1000, "k")) if n >= p[0]), (1, ""))
            cut = str(n * 10 // limit)
            text = cut[:-1] + ("" if cut[-1] == "0" else "." + cut[-1])
            assert short(value) == ("-" if value < 0 else "") + (text or "0") + letter
