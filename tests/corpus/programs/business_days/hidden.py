import datetime as dt
import random

import pytest
from subject import WorkCalendar


def test_random_calendars():
    rng = random.Random(0)
    first = dt.date(2023, 12, 1)
    days = [first + dt.timedelta(days=n) for n in range(120)]
    for _ in range(30):
        holidays = rng.sample(days, rng.randint(0, 12))
        weekend = rng.sample(range(7), rng.randint(0, 3))
        calendar = WorkCalendar(holidays, weekend)
        working = [d for d in days if d not in holidays and d.weekday() not in weekend]
        assert [d for d in days if calendar.is_working_day(d)] == working
        for _ in range(12):
            day, count = rng.choice(days[40:80]), rng.randint(-6, 6)
            later = [d for d in working if d > day]
            earlier = [d for d in working if d < day]
            if count > 0:
                expected = later[count - 1]
            elif count < 0:
                expected = earlier[count]
            else:
                expected = day if day in working else later[0]
            assert calendar.add(day, count) == expected
            end = rng.choice(days)
            if end >= day:
                assert calendar.between(day, end) == sum(day <= d < end for d in working)
            else:
                assert calendar.between(day, end) == -sum(end <= d < day for d in working)
        for year, month in ((2023, 12), (2024, 1), (2024, 2)):
            own = [d for d in working if (d.year, d.month) == (year, month)]
            assert calendar.last_of_month(year, month) == own[-1]


def test_month_without_work():
    february = [dt.date(2024, 2, n) for n in range(1, 30)]
    assert WorkCalendar(february).last_of_month(2024, 2) is None
    assert WorkCalendar(february[1:]).last_of_month(2024, 2) == dt.date(2024, 2, 1)


def test_same_day():
    monday = dt.date(2024, 6, 3)
    assert WorkCalendar().between(monday, monday) == 0
    assert WorkCalendar([monday]).add(monday, 0) == dt.date(2024, 6, 4)


def test_calendars_are_apart():
    holidays = [dt.date(2024, 6, 3)]
    calendar = WorkCalendar(holidays)
    calendar.holidays.add(dt.date(2024, 6, 4))
    assert holidays == [dt.date(2024, 6, 3)]
    assert WorkCalendar().holidays == set()
    assert WorkCalendar(weekend=[0] * 9).is_working_day(dt.date(2024, 6, 8))
    with pytest.raises(ValueError, match="no day"):
        WorkCalendar(weekend=[0, 1, 2, 3, 4, 5, 6])


def test_saturday_and_sunday_by_default():
    days = [dt.date(2024, 6, 3) + dt.timedelta(days=n) for n in range(7)]
    assert [WorkCalendar().is_working_day(day) for day in days] == [True] * 5 + [False] * 2
