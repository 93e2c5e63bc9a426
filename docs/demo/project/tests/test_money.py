from decimal import Decimal

import pytest

from tillroll.money import format_amount, parse_amount, percent_of, split


@pytest.mark.parametrize(
    ("text", "cents"), [("12", 1200), ("12.5", 1250), ("1,299.00", 129900), (" 0.07 ", 7), ("-3.10", -310)]
)
def test_parse_amount(text, cents):
    assert parse_amount(text) == cents


@pytest.mark.parametrize("text", ["", "abc", "1.005", "NaN", "1.2.3"])
def test_parse_amount_refuses(text):
    with pytest.raises(ValueError):
        parse_amount(text)


@pytest.mark.parametrize(("cents", "text"), [(129900, "1,299.00"), (7, "0.07"), (-310, "-3.10"), (0, "0.00")])
def test_format_amount(cents, text):
    assert format_amount(cents) == text


def test_percent_of_rounds_halves_to_even():
    assert percent_of(50, Decimal(1)) == 0
    assert percent_of(150, Decimal(1)) == 2
    assert percent_of(1000, Decimal("7.5")) == 75


def test_split_loses_no_cent():
    assert split(100, [1, 1, 1]) == [34, 33, 33]
    assert split(5, [1, 3]) == [1, 4]
    assert split(0, [2, 1]) == [0, 0]


def test_split_needs_a_weight():
    with pytest.raises(ValueError):
        split(100, [0, 0])
