"""Working days: Monday to Friday without holidays."""

import datetime as dt

DAY = dt.timedelta(days=1)


class WorkCalendar:
    """Which days are worked on; holidays are dates."""

    def __init__(self, holidays=None, weekend=(5, 6)):
        if len(set(weekend)) >= 7:
            raise ValueError("no day of the week is worked on")
        self.holidays = set(holidays or ())
        self.weekend = frozenset(weekend)

    def is_working_day(self, day):
        """Whether it is neither a weekend nor a holiday."""
        return day.weekday() not in self.weekend and day not in self.holidays

    def add(self, day, count):
        """The working day that many working days later, or earlier for a negative count.

        With 0 it is the day itself, or the next working day if it is none.
        """
        step = -DAY if count < 0 else DAY
        if count == 0:
            while not self.is_working_day(day):
                day += step
            return day
        for _ in range(abs(count)):
            day += step
            while not self.is_working_day(day):
                day += step
        return day

    def between(self, start, end):
        """How many working days lie from start to end, the end not included; negative when end is before start."""
        if end < start:
            return -self.between(end, start)
        days = (end - start).days
        return sum(self.is_working_day(start + dt.timedelta(days=offset)) for offset in range(days))

    def last_of_month(self, year, month):
        """The month's last working day; None if it has none."""
        day = dt.date(year + month // 12, month % 12 + 1, 1) - DAY
        while not self.is_working_day(day):
            day -= DAY
        return day if day.month == month else None
