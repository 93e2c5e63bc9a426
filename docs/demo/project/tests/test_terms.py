import datetime
from decimal import Decimal

import pytest

from tillroll.terms import Terms, parse_terms

MONDAY = datetime.date(2024, 3, 4)


def test_terms_are_read():
    assert parse_terms("net 30") == Terms(30)
    assert parse_terms("2/10 net 30") == Terms(30, Decimal(2), 10)


def test_what_is_no_term_is_refused():
    with pytest.raises(ValueError):
        parse_terms("soon")


@pytest.mark.parametrize(("days", "due"), [(4, 8), (5, 11), (6, 11), (7, 11)])
def test_a_weekend_moves_to_monday(days, due):
    assert Terms(days).due(MONDAY) == datetime.date(2024, 3, due)


def test_cash_discount_only_in_time():
    terms = parse_terms("2/10 net 30")
    assert terms.to_pay(10_000, MONDAY, MONDAY + datetime.timedelta(days=10)) == 9_800
    assert terms.to_pay(10_000, MONDAY, MONDAY + datetime.timedelta(days=11)) == 10_000
