import datetime as dt

import pytest
from subject import WorkCalendar

CALENDAR = WorkCalendar(holidays=[dt.date(2024, 12, 25), dt.date(2024, 12, 26), dt.date(2025, 1, 1)])


def test_working_days():
    assert CALENDAR.is_working_day(dt.date(2024, 12, 24))
    assert not CALENDAR.is_working_day(dt.date(2024, 12, 25))
    assert not CALENDAR.is_working_day(dt.date(2024, 12, 28))


def test_add():
    assert CALENDAR.add(dt.date(2024, 12, 20), 1) == dt.date(2024, 12, 23)
    assert CALENDAR.add(dt.date(2024, 12, 24), 2) == dt.date(2024, 12, 30)


def test_add_backwards():
    assert CALENDAR.add(dt.date(2025, 1, 2), -1) == dt.date(2024, 12, 31)


def test_add_nothing():
    assert CALENDAR.add(dt.date(2024, 12, 28), 0) == dt.date(2024, 12, 30)
    assert CALENDAR.add(dt.date(2024, 12, 27), 0) == dt.date(2024, 12, 27)


def test_between():
    assert CALENDAR.between(dt.date(2024, 12, 23), dt.date(2024, 12, 30)) == 3
    assert CALENDAR.between(dt.date(2024, 12, 30), dt.date(2024, 12, 23)) == -3


def test_last_of_month():
    assert WorkCalendar().last_of_month(2024, 11) == dt.date(2024, 11, 29)
    assert CALENDAR.last_of_month(2024, 12) == dt.date(2024, 12, 31)


def test_weekend():
    with pytest.raises(ValueError):
        WorkCalendar(weekend=range(7))
    assert WorkCalendar(weekend=[4, 5]).is_working_day(dt.date(2024, 12, 29))
