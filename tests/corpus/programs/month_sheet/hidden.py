import calendar
import datetime as dt

import pytest
from subject import nth_weekday, sheet, weeks


def test_against_calendar():
    for year, month in [(y, m) for y in (1999, 2000, 2015, 2023, 2024) for m in range(1, 13)]:
        for first in range(7):
            assert weeks(year, month, first) == calendar.Calendar(first).monthdayscalendar(year, month)


def test_nth_against_counting():
    for month in range(1, 13):
        for weekday in range(7):
            days = [
                day
                for n in range(1, calendar.monthrange(2023, month)[1] + 1)
                if (day := dt.date(2023, month, n)).weekday() == weekday
            ]
            for nth in range(-6, 7):
                if nth and abs(nth) <= len(days):
                    assert nth_weekday(2023, month, weekday, nth) == (days[nth - 1] if nth > 0 else days[nth])
                else:
                    with pytest.raises(ValueError, match=f"{month}/2023"):
                        nth_weekday(2023, month, weekday, nth)


def test_sheets_hold_all_days():
    for month in range(1, 13):
        for first in (0, 6):
            lines = sheet(2024, month, {1, 15}, first).split("\n")
            assert lines[0].strip() == f"{calendar.month_name[month]} 2024"
            assert lines[1].split()[0] == ("Mo" if first == 0 else "Su")
            found = " ".join(lines[2:]).replace("*", "").split()
            assert found == [str(n) for n in range(1, calendar.monthrange(2024, month)[1] + 1)]
            assert sum(line.count("*") for line in lines) == 2
            assert all(line == line.rstrip() for line in lines)
            place = 4 * ((dt.date(2024, month, 15).weekday() - first) % 7)
            row = next(line for line in lines[2:] if "15*" in line)
            assert row[place : place + 3] == "15*"


def test_names_from_sunday():
    assert sheet(2024, 9, first_weekday=6).splitlines()[1] == "Su  Mo  Tu  We  Th  Fr  Sa"
    assert sheet(2024, 9, None, 6).splitlines()[2] == " 1   2   3   4   5   6   7"
    assert "*" not in sheet(2024, 9, set())


def test_from_monday_by_default():
    assert weeks(2024, 7)[0] == [1, 2, 3, 4, 5, 6, 7]
    assert sheet(2024, 7).splitlines()[0] == "         July 2024"
    assert sheet(2024, 7).splitlines()[1].startswith("Mo")
