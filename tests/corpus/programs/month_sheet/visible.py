import datetime as dt

import pytest
from subject import nth_weekday, sheet, weeks


def test_weeks():
    found = weeks(2024, 2)
    assert found[0] == [0, 0, 0, 1, 2, 3, 4]
    assert found[-1] == [26, 27, 28, 29, 0, 0, 0]
    assert len(found) == 5


def test_weeks_from_sunday():
    assert weeks(2024, 9, first_weekday=6)[0] == [1, 2, 3, 4, 5, 6, 7]


def test_month_that_fills_its_weeks():
    assert len(weeks(2021, 2)) == 4


def test_sheet():
    lines = sheet(2024, 2).splitlines()
    assert lines[0] == "       February 2024"
    assert lines[1] == "Mo  Tu  We  Th  Fr  Sa  Su"
    assert lines[2] == "             1   2   3   4"
    assert lines[-1] == "26  27  28  29"


def test_marks():
    assert sheet(2024, 2, {1, 14}).splitlines()[2] == "             1*  2   3   4"


def test_nth_weekday():
    assert nth_weekday(2024, 11, 3, 4) == dt.date(2024, 11, 28)
    assert nth_weekday(2024, 5, 0, -1) == dt.date(2024, 5, 27)


def test_no_such_day():
    for nth in (0, 5, -6):
        with pytest.raises(ValueError):
            nth_weekday(2024, 2, 0, nth)
