import calendar
import datetime as dt
import itertools
import random

import pytest
from subject import Rule


def test_days_and_weeks():
    rng = random.Random(0)
    for _ in range(30):
        start, every = dt.date(2023, 1, 1) + dt.timedelta(days=rng.randint(0, 700)), rng.randint(1, 40)
        for unit, size in (("day", 1), ("week", 7)):
            found = Rule(start, unit, every).first(6)
            assert found[0] == start
            assert {(b - a).days for a, b in itertools.pairwise(found)} == {every * size}


def test_months_and_years():
    rng = random.Random(1)
    for _ in range(60):
        start, every = dt.date(2023, 1, 1) + dt.timedelta(days=rng.randint(0, 700)), rng.randint(1, 15)
        for unit, size in (("month", 1), ("year", 12)):
            found = Rule(start, unit, every).first(8)
            for n, date in enumerate(found):
                index = start.year * 12 + start.month - 1 + n * every * size
                assert (date.year, date.month) == (index // 12, index % 12 + 1)
                assert date.day == min(start.day, calendar.monthrange(date.year, date.month)[1])


def test_december():
    assert Rule(dt.date(2023, 11, 30), "month").first(4)[1:] == [
        dt.date(2023, 12, 30),
        dt.date(2024, 1, 30),
        dt.date(2024, 2, 29),
    ]


def test_ends_and_gaps():
    start = dt.date(2024, 5, 1)
    assert Rule(start, "day", until=start).first(9) == [start]
    assert Rule(start, "day", until=start - dt.timedelta(days=1)).first(9) == []
    assert Rule(start, "day", until=start, skipped={start}).first(9) == []
    assert Rule(start, "day").first(0) == []


def test_next_after():
    start = dt.date(2024, 5, 1)
    rule = Rule(start, "week", skipped={dt.date(2024, 5, 8)})
    assert rule.next_after(dt.date(2024, 4, 1)) == start
    assert rule.next_after(start) == dt.date(2024, 5, 15)
    assert rule.next_after(dt.date(2024, 5, 14)) == dt.date(2024, 5, 15)


def test_rules_are_apart():
    one, other = Rule(dt.date(2024, 1, 1), "day"), Rule(dt.date(2024, 1, 1), "day")
    one.skipped.add(dt.date(2024, 1, 1))
    assert other.first(1) == [dt.date(2024, 1, 1)]
    for unit, every in (("days", 1), ("", 1), ("day", -1), ("year", 0)):
        with pytest.raises(ValueError):
            Rule(dt.date(2024, 1, 1), unit, every)
