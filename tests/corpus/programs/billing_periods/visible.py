import datetime as dt

import pytest
from subject import Period, period_of, prorated, shift_months, upgrade

JUNE = Period(dt.date(2024, 6, 1), dt.date(2024, 7, 1))


def test_shift():
    assert shift_months(dt.date(2024, 1, 31), 1) == dt.date(2024, 2, 29)
    assert shift_months(dt.date(2024, 11, 15), 3) == dt.date(2025, 2, 15)
    assert shift_months(dt.date(2024, 2, 29), 1, anchor=31) == dt.date(2024, 3, 31)


def test_period():
    assert period_of(dt.date(2024, 1, 31), dt.date(2024, 3, 1)) == (dt.date(2024, 2, 29), dt.date(2024, 3, 31))


def test_first_day_of_a_period():
    assert period_of(dt.date(2024, 1, 10), dt.date(2024, 2, 10)).start == dt.date(2024, 2, 10)


def test_quarters():
    assert period_of(dt.date(2024, 1, 1), dt.date(2024, 5, 5), months=3) == (dt.date(2024, 4, 1), dt.date(2024, 7, 1))


def test_before_the_beginning():
    with pytest.raises(ValueError):
        period_of(dt.date(2024, 1, 10), dt.date(2024, 1, 9))


def test_prorated():
    assert JUNE.days == 30
    assert prorated(3000, JUNE, Period(dt.date(2024, 6, 21), dt.date(2024, 8, 1))) == 1000
    assert prorated(3000, JUNE, Period(dt.date(2024, 8, 1), dt.date(2024, 9, 1))) == 0


def test_upgrade():
    assert upgrade(dt.date(2024, 6, 1), dt.date(2024, 6, 16), 1000, 2500) == 750
