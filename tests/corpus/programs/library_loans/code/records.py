"""What the library keeps records of."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field


class NotAllowed(Exception):
    """A loan that the rules forbid."""


@dataclass(frozen=True)
class Book:
    """A title of which there are some copies."""

    title: str
    copies: int = 1
    days: int = 28


@dataclass
class Loan:
    """A copy that a member has; a renewal moves the day on which it's due."""

    book: Book
    due: dt.date
    renewals: int = 0


@dataclass
class Member:
    """A member with loans, and fines in cents."""

    name: str
    limit: int = 3
    loans: list[Loan] = field(default_factory=list)
    owes: int = 0

    def loan_of(self, title: str) -> Loan:
        """The loan of a title; LookupError if there is none."""
        for loan in self.loans:
            if loan.book.title == title:
                return loan
        raise LookupError(f"{self.name} doesn't have {title}")
