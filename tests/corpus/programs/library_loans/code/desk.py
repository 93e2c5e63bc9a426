"""The desk, where books are lent and brought back."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict, deque

from subject.fines import fine
from subject.records import Book, Loan, Member, NotAllowed

MOST_RENEWALS = 2


class Desk:
    """Lends books and keeps the order in which members wait for them."""

    def __init__(self, books: list[Book]):
        self._books = {book.title: book for book in books}
        self._out: dict[str, int] = defaultdict(int)
        self._waiting: dict[str, deque[str]] = defaultdict(deque)

    def free(self, title: str) -> int:
        """How many copies are there; KeyError for an unknown title."""
        return self._books[title].copies - self._out[title]

    def lend(self, member: Member, title: str, today: dt.date) -> Loan:
        """Lend a copy. Those who wait for the book come first, in their order."""
        if member.owes:
            raise NotAllowed("fines are open")
        if len(member.loans) >= member.limit:
            raise NotAllowed("too many loans")
        waiting = self._waiting[title]
        before = waiting.index(member.name) if member.name in waiting else len(waiting)
        if self.free(title) <= before:
            raise NotAllowed("no copy is free")
        if member.name in waiting:
            waiting.remove(member.name)
        book = self._books[title]
        loan = Loan(book, today + dt.timedelta(days=book.days))
        member.loans.append(loan)
        self._out[title] += 1
        return loan

    def bring_back(self, member: Member, title: str, today: dt.date) -> int:
        """Take a copy back; the fine, which the member then owes."""
        loan = member.loan_of(title)
        member.loans.remove(loan)
        self._out[title] -= 1
        cents = fine(loan.due, today)
        member.owes += cents
        return cents

    def renew(self, member: Member, title: str, today: dt.date) -> dt.date:
        """The new day on which the loan is due, counted from today."""
        loan = member.loan_of(title)
        if loan.renewals >= MOST_RENEWALS:
            raise NotAllowed("renewed too often")
        if self._waiting[title]:
            raise NotAllowed("somebody waits for it")
        if today > loan.due:
            raise NotAllowed("it is overdue")
        loan.renewals += 1
        loan.due = today + dt.timedelta(days=loan.book.days)
        return loan.due

    def wait_for(self, member: Member, title: str) -> int:
        """The member's place among those who wait, from 1."""
        if title not in self._books:
            raise KeyError(title)
        waiting = self._waiting[title]
        if member.name not in waiting:
            waiting.append(member.name)
        return waiting.index(member.name) + 1
