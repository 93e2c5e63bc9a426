"""Payment terms such as "2/10 net 30": 2 percent off within 10 days, all of it due after 30."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from decimal import Decimal

from tillroll.money import percent_of

_TERMS = re.compile(r"(?:(\d+(?:\.\d+)?)/(\d+)\s+)?net\s+(\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class Terms:
    """`cash_percent` come off when it is paid within `cash_days`; it is due after `days`."""

    days: int
    cash_percent: Decimal = Decimal(0)
    cash_days: int = 0

    def due(self, date: datetime.date) -> datetime.date:
        """When it is due; a Saturday or Sunday moves to the Monday after."""
        due = date + datetime.timedelta(days=self.days)
        if due.weekday() >= 5:
            due += datetime.timedelta(days=7 - due.weekday())
        return due

    def to_pay(self, cents: int, issued: datetime.date, paid: datetime.date) -> int:
        """What is owed when it is paid on that day."""
        if (paid - issued).days <= self.cash_days:
            return cents - percent_of(cents, self.cash_percent)
        return cents


def parse_terms(text: str) -> Terms:
    """Read "net 30" or "2/10 net 30"."""
    match = _TERMS.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"not payment terms: {text!r}")
    return Terms(int(match[3]), Decimal(match[1] or 0), int(match[2] or 0))
