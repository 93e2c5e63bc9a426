"""Periods of a subscription and what part of them is paid."""

import calendar
import datetime as dt
from typing import NamedTuple


class Period(NamedTuple):
    """From start on, before end."""

    start: dt.date
    end: dt.date

    @property
    def days(self) -> int:
        """The length in days."""
        return (self.end - self.start).days


def shift_months(day: dt.date, months: int, anchor: int | None = None) -> dt.date:
    """The day so many months later, on day `anchor` of the month if it has that many days."""
    total = day.year * 12 + (day.month - 1) + months
    year, month = total // 12, total % 12 + 1
    last = calendar.monthrange(year, month)[1]
    return dt.date(year, month, min(anchor or day.day, last))


def period_of(began: dt.date, day: dt.date, months: int = 1) -> Period:
    """The period in which the day lies, of a subscription that began on a date."""
    if day < began:
        raise ValueError(f"{day} is before the beginning")
    number = 0
    while shift_months(began, (number + 1) * months) <= day:
        number += 1
    return Period(shift_months(began, number * months), shift_months(began, (number + 1) * months))


def prorated(cents: int, period: Period, used: Period) -> int:
    """The part of the price for the days of the period that were used, rounded to the cent, halves up."""
    start = max(period.start, used.start)
    end = min(period.end, used.end)
    days = max((end - start).days, 0)
    return (2 * cents * days + period.days) // (2 * period.days)


def upgrade(began: dt.date, day: dt.date, old: int, new: int) -> int:
    """What is due on the day of an upgrade: the rest of the period at the new price less the same at the old."""
    period = period_of(began, day)
    rest = Period(day, period.end)
    return prorated(new, period, rest) - prorated(old, period, rest)
