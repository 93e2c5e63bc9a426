"""Dates that come again and again: by days, weeks, months or years."""

from __future__ import annotations

import calendar
import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count, islice

UNITS = ("day", "week", "month", "year")


@dataclass
class Rule:
    """Every so many units from a start on; `until` is the last possible date, `skipped` dates don't take place."""

    start: dt.date
    unit: str
    every: int = 1
    until: dt.date | None = None
    skipped: set[dt.date] = field(default_factory=set)

    def __post_init__(self) -> None:
        if self.unit not in UNITS:
            raise ValueError(f"unknown unit {self.unit}")
        if self.every < 1:
            raise ValueError("every must be 1 or more")

    def _nth(self, n: int) -> dt.date:
        steps = n * self.every
        if self.unit == "day":
            return self.start + dt.timedelta(days=steps)
        if self.unit == "week":
            return self.start + dt.timedelta(weeks=steps)
        months = steps if self.unit == "month" else 12 * steps
        year, month = divmod(self.start.year * 12 + self.start.month - 1 + months, 12)
        last = calendar.monthrange(year, month + 1)[1]
        return dt.date(year, month + 1, min(self.start.day, last))

    def dates(self) -> Iterator[dt.date]:
        """The dates in their order, without an end unless `until` is set."""
        for n in count():
            date = self._nth(n)
            if self.until is not None and date > self.until:
                return
            if date not in self.skipped:
                yield date

    def first(self, number: int) -> list[dt.date]:
        """So many dates, or as many as there are."""
        return list(islice(self.dates(), number))

    def next_after(self, day: dt.date) -> dt.date | None:
        """The first date after a day; None when there are no more."""
        return next((date for date in self.dates() if date > day), None)
