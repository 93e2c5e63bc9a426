"""Programs about days, times and calendars."""

import calendar
import datetime as dt


def days_between(one: str, other: str) -> int:
    """How many days lie between two dates such as 2024-02-29, whichever comes first."""
    return abs((dt.date.fromisoformat(one) - dt.date.fromisoformat(other)).days)


def check_days_between(candidate):
    assert candidate("2024-01-01", "2024-01-01") == 0
    assert candidate("2024-02-28", "2024-03-01") == 2
    assert candidate("2023-02-28", "2023-03-01") == 1
    assert candidate("2024-01-01", "2023-01-01") == 365
    assert candidate("1999-12-31", "2000-01-01") == 1


def is_leap(year: int) -> bool:
    """Whether a year of the Gregorian calendar has 366 days."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def check_is_leap(candidate):
    assert candidate(2024) is True
    assert candidate(2023) is False
    assert candidate(1900) is False
    assert candidate(2000) is True
    assert [year for year in range(2090, 2110) if candidate(year)] == [2092, 2096, 2104, 2108]


def weekday_name(date: str) -> str:
    """The English name of the weekday of a date."""
    return calendar.day_name[dt.date.fromisoformat(date).weekday()]


def check_weekday_name(candidate):
    assert candidate("2000-01-01") == "Saturday"
    assert candidate("1969-07-20") == "Sunday"
    assert candidate("2024-02-29") == "Thursday"
    assert candidate("1970-01-01") == "Thursday"
    assert candidate("2038-01-19") == "Tuesday"


def add_months(date: str, months: int) -> str:
    """The same day so many months later, or the month's last day where it is shorter."""
    start = dt.date.fromisoformat(date)
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    day = min(start.day, calendar.monthrange(year, month + 1)[1])
    return dt.date(year, month + 1, day).isoformat()


def check_add_months(candidate):
    assert candidate("2024-01-15", 1) == "2024-02-15"
    assert candidate("2024-01-31", 1) == "2024-02-29"
    assert candidate("2023-12-31", 2) == "2024-02-29"
    assert candidate("2024-03-31", -1) == "2024-02-29"
    assert candidate("2024-05-01", 0) == "2024-05-01"


def working_days(first: str, last: str, holidays: list[str]) -> int:
    """How many days from the first to the last, both included, are neither weekend nor holiday."""
    day, end = dt.date.fromisoformat(first), dt.date.fromisoformat(last)
    free = {dt.date.fromisoformat(holiday) for holiday in holidays}
    count = 0
    while day <= end:
        count += day.weekday() < 5 and day not in free
        day += dt.timedelta(days=1)
    return count


def check_working_days(candidate):
    assert candidate("2024-01-01", "2024-01-07", []) == 5
    assert candidate("2024-01-01", "2024-01-07", ["2024-01-01"]) == 4
    assert candidate("2024-01-06", "2024-01-07", []) == 0
    assert candidate("2024-01-03", "2024-01-02", []) == 0
    assert candidate("2024-01-01", "2024-01-31", ["2024-01-06"]) == 23


def clock_text(seconds: int) -> str:
    """A time of the day as hh:mm:ss, begun anew after each day."""
    minutes, second = divmod(seconds % 86400, 60)
    hour, minute = divmod(minutes, 60)
    return f"{hour:02}:{minute:02}:{second:02}"


def check_clock_text(candidate):
    assert candidate(0) == "00:00:00"
    assert candidate(59) == "00:00:59"
    assert candidate(3661) == "01:01:01"
    assert candidate(86399) == "23:59:59"
    assert candidate(86400) == "00:00:00"
    assert candidate(-1) == "23:59:59"


def spoken_duration(seconds: int) -> str:
    """A duration in days, hours, minutes and seconds, without those that are zero."""
    parts = []
    for name, size in (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1)):
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count} {name}{'s' if count > 1 else ''}")
    return ", ".join(parts) or "no time"


def check_spoken_duration(candidate):
    assert candidate(0) == "no time"
    assert candidate(1) == "1 second"
    assert candidate(62) == "1 minute, 2 seconds"
    assert candidate(7200) == "2 hours"
    assert candidate(90061) == "1 day, 1 hour, 1 minute, 1 second"


# passes=False: only the years are compared, not whether the birthday has come
def age_on(birth: str, day: str) -> int:
    """The age in whole years on a day."""
    return dt.date.fromisoformat(day).year - dt.date.fromisoformat(birth).year


def check_age_on(candidate):
    assert candidate("2000-05-05", "2000-05-05") == 0
    assert candidate("2000-05-05", "2010-05-05") == 10
    assert candidate("2000-05-05", "2010-05-06") == 10
    assert candidate("2000-05-05", "2010-05-04") == 9
    assert candidate("1999-12-31", "2000-01-01") == 0


def fridays_thirteenth(year: int) -> list[int]:
    """The months of a year whose thirteenth is a Friday."""
    return [month for month in range(1, 13) if dt.date(year, month, 13).weekday() == 4]


def check_fridays_thirteenth(candidate):
    assert candidate(2024) == [9, 12]
    assert candidate(2026) == [2, 3, 11]
    assert candidate(2023) == [1, 10]
    assert candidate(2021) == [8]
    assert all(1 <= len(candidate(year)) <= 3 for year in range(1990, 2030))


def hand_angle(clock: str) -> float:
    """The smaller angle between the hands of a clock at hh:mm, in degrees."""
    hour, minute = map(int, clock.split(":"))
    angle = abs((hour % 12 * 30 + minute / 2) - minute * 6)
    return min(angle, 360 - angle)


def check_hand_angle(candidate):
    assert candidate("12:00") == 0
    assert candidate("03:00") == 90
    assert candidate("18:00") == 180
    assert candidate("09:30") == 105
    assert candidate("21:00") == 90


def overlap_minutes(one: tuple[str, str], other: tuple[str, str]) -> int:
    """How many minutes of one day two spans (hh:mm, hh:mm) share."""

    def minutes(clock: str) -> int:
        hour, minute = clock.split(":")
        return int(hour) * 60 + int(minute)

    start = max(minutes(one[0]), minutes(other[0]))
    return max(0, min(minutes(one[1]), minutes(other[1])) - start)


def check_overlap_minutes(candidate):
    assert candidate(("09:00", "10:00"), ("09:30", "11:00")) == 30
    assert candidate(("09:00", "10:00"), ("10:00", "11:00")) == 0
    assert candidate(("09:00", "10:00"), ("12:00", "13:00")) == 0
    assert candidate(("08:00", "18:00"), ("09:15", "09:20")) == 5
    assert candidate(("00:00", "23:59"), ("00:00", "23:59")) == 1439


def nth_weekday(year: int, month: int, weekday: int, which: int) -> str:
    """The date of, say, the second Tuesday of a month (Monday is 0, the first is 1)."""
    first = dt.date(year, month, 1)
    return (first + dt.timedelta(days=(weekday - first.weekday()) % 7 + 7 * (which - 1))).isoformat()


def check_nth_weekday(candidate):
    assert candidate(2024, 1, 0, 1) == "2024-01-01"
    assert candidate(2024, 1, 6, 1) == "2024-01-07"
    assert candidate(2024, 11, 3, 4) == "2024-11-28"
    assert candidate(2023, 5, 6, 2) == "2023-05-14"
    assert candidate(2024, 2, 3, 5) == "2024-02-29"


def quarter_of(date: str) -> str:
    """The quarter of a date, such as 2024-Q3."""
    day = dt.date.fromisoformat(date)
    return f"{day.year}-Q{(day.month - 1) // 3 + 1}"


def check_quarter_of(candidate):
    assert candidate("2024-01-01") == "2024-Q1"
    assert candidate("2024-03-31") == "2024-Q1"
    assert candidate("2024-04-01") == "2024-Q2"
    assert candidate("2023-09-30") == "2023-Q3"
    assert candidate("1999-12-31") == "1999-Q4"


def to_utc(moment: str) -> str:
    """A moment with its offset, such as 2024-05-01T12:00:00+02:00, as UTC with a Z."""
    return dt.datetime.fromisoformat(moment).astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def check_to_utc(candidate):
    assert candidate("2024-05-01T12:00:00+00:00") == "2024-05-01T12:00:00Z"
    assert candidate("2024-05-01T12:00:00+02:00") == "2024-05-01T10:00:00Z"
    assert candidate("2024-05-01T01:00:00+02:00") == "2024-04-30T23:00:00Z"
    assert candidate("2024-12-31T20:30:00-05:00") == "2025-01-01T01:30:00Z"
    assert candidate("2024-01-01T00:00:00+05:45") == "2023-12-31T18:15:00Z"


def day_of_year(date: str) -> int:
    """Which day of its year a date is."""
    return dt.date.fromisoformat(date).timetuple().tm_yday


def check_day_of_year(candidate):
    assert candidate("2023-01-01") == 1
    assert candidate("2023-03-01") == 60
    assert candidate("2024-03-01") == 61
    assert candidate("2023-12-31") == 365
    assert candidate("2024-12-31") == 366


def month_page(year: int, month: int) -> list[list[int]]:
    """The weeks of a month from Monday to Sunday, 0 for days of other months."""
    first, length = calendar.monthrange(year, month)
    cells = [0] * first + list(range(1, length + 1))
    cells += [0] * (-len(cells) % 7)
    return [cells[start : start + 7] for start in range(0, len(cells), 7)]


def check_month_page(candidate):
    assert candidate(2021, 2) == [[*range(1, 8)], [*range(8, 15)], [*range(15, 22)], [*range(22, 29)]]
    assert candidate(2024, 9)[0] == [0, 0, 0, 0, 0, 0, 1]
    assert candidate(2024, 9)[-1] == [30, 0, 0, 0, 0, 0, 0]
    assert len(candidate(2024, 1)) == 5
    assert candidate(2023, 10) == calendar.Calendar().monthdayscalendar(2023, 10)
