import datetime as dt
import random
from fractions import Fraction

import pytest
from subject import Period, period_of, prorated, shift_months, upgrade

DAY = dt.timedelta(days=1)


def test_periods_follow_each_other():
    rng = random.Random(0)
    for _ in range(40):
        began = dt.date(2023, 1, 1) + rng.randint(0, 400) * DAY
        months = rng.choice([1, 1, 3, 12])
        end = began
        for _ in range(6):
            period = period_of(began, end, months)
            assert period.start == end
            assert period_of(began, period.end - DAY, months) == period
            assert period.end.day == began.day or ((period.end + DAY).day == 1 and period.end.day < began.day)
            end = period.end
        assert (end.year - began.year) * 12 + end.month - began.month == 6 * months


def test_shift_back_and_forth():
    assert shift_months(dt.date(2024, 3, 31), -1) == dt.date(2024, 2, 29)
    assert shift_months(dt.date(2024, 1, 15), -1) == dt.date(2023, 12, 15)
    assert shift_months(dt.date(2024, 12, 31), 0) == dt.date(2024, 12, 31)
    assert shift_months(dt.date(2023, 12, 1), 1) == dt.date(2024, 1, 1)
    assert shift_months(dt.date(2024, 4, 30), 1) == dt.date(2024, 5, 30)
    assert shift_months(dt.date(2024, 4, 5), 1, 31) == dt.date(2024, 5, 31)


def test_prorated_against_fractions():
    rng = random.Random(1)
    first = dt.date(2024, 1, 1)
    for _ in range(120):
        start = first + rng.randint(0, 40) * DAY
        period = Period(start, start + rng.randint(1, 31) * DAY)
        begin = first + rng.randint(0, 60) * DAY
        used = Period(begin, begin + rng.randint(0, 40) * DAY)
        common = sum(used.start <= start + n * DAY < used.end for n in range(period.days))
        exact = Fraction(cents := rng.randint(0, 5000)) * common / period.days
        assert prorated(cents, period, used) == int(exact + Fraction(1, 2))


def test_half_a_cent_is_rounded_up():
    two = Period(dt.date(2024, 1, 1), dt.date(2024, 1, 3))
    assert prorated(1, two, Period(dt.date(2024, 1, 1), dt.date(2024, 1, 2))) == 1
    assert prorated(1, two, two) == 1


def test_upgrades():
    began = dt.date(2024, 2, 1)
    assert upgrade(began, began, 900, 1900) == 1000
    assert upgrade(began, dt.date(2024, 2, 29), 2900, 5800) == 100
    assert upgrade(began, dt.date(2024, 3, 1), 0, 3100) == 3100
    assert upgrade(began, dt.date(2024, 2, 10), 500, 500) == 0
    with pytest.raises(ValueError, match="before"):
        upgrade(began, dt.date(2024, 1, 31), 1, 2)
