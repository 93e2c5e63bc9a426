import datetime as dt

import pytest
from subject import Rule


def days(rule, number):
    return [date.isoformat() for date in rule.first(number)]


def test_weeks():
    rule = Rule(dt.date(2024, 2, 20), "week", every=2)
    assert days(rule, 3) == ["2024-02-20", "2024-03-05", "2024-03-19"]


def test_days():
    assert days(Rule(dt.date(2024, 2, 28), "day"), 3) == ["2024-02-28", "2024-02-29", "2024-03-01"]


def test_months_keep_their_day():
    rule = Rule(dt.date(2024, 1, 31), "month")
    assert days(rule, 4) == ["2024-01-31", "2024-02-29", "2024-03-31", "2024-04-30"]


def test_years():
    rule = Rule(dt.date(2024, 2, 29), "year", every=2)
    assert days(rule, 3) == ["2024-02-29", "2026-02-28", "2028-02-29"]


def test_until():
    rule = Rule(dt.date(2024, 1, 1), "week", until=dt.date(2024, 1, 15))
    assert days(rule, 10) == ["2024-01-01", "2024-01-08", "2024-01-15"]


def test_skipped():
    rule = Rule(dt.date(2024, 1, 1), "week", skipped={dt.date(2024, 1, 8)})
    assert days(rule, 2) == ["2024-01-01", "2024-01-15"]


def test_next_after():
    rule = Rule(dt.date(2024, 1, 1), "week", until=dt.date(2024, 1, 15))
    assert rule.next_after(dt.date(2024, 1, 8)) == dt.date(2024, 1, 15)
    assert rule.next_after(dt.date(2024, 1, 15)) is None


def test_bad_rules():
    with pytest.raises(ValueError):
        Rule(dt.date(2024, 1, 1), "hour")
    with pytest.raises(ValueError):
        Rule(dt.date(2024, 1, 1), "day", every=0)
