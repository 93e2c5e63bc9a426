"""A lending library: books, members and loans."""

from subject.desk import Desk
from subject.fines import fine
from subject.records import Book, Loan, Member, NotAllowed

__all__ = ["Book", "Desk", "Loan", "Member", "NotAllowed", "fine"]
