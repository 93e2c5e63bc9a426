"""How a loan is paid back."""

from collections.abc import Iterator
from typing import NamedTuple


class Payment(NamedTuple):
    """What is paid in a month, and what of the loan is left; all in cents."""

    month: int
    interest: int
    principal: int
    left: int

    @property
    def total(self) -> int:
        """Interest and principal together."""
        return self.interest + self.principal


class NeverPaidBack(ValueError):
    """The rate doesn't even cover the interest."""


def monthly_interest(left: int, basis_points: int) -> int:
    """A month's interest for a yearly rate in hundredths of a percent, rounded, halves up."""
    return (left * basis_points + 60_000) // 120_000


def plan(loan: int, basis_points: int, rate: int, extra: dict[int, int] | None = None) -> Iterator[Payment]:
    """The payments month by month, the last one for the rest; `extra` holds further principal by month."""
    if rate <= monthly_interest(loan, basis_points):
        raise NeverPaidBack(f"{rate} a month is too little")
    extra = extra or {}
    left = loan
    month = 0
    while left > 0:
        month += 1
        interest = monthly_interest(left, basis_points)
        principal = min(rate - interest + extra.get(month, 0), left)
        left -= principal
        yield Payment(month, interest, principal, left)


def smallest_rate(loan: int, basis_points: int, months: int) -> int:
    """The smallest monthly rate, in whole cents, that pays the loan back within so many months."""
    low = monthly_interest(loan, basis_points) + 1
    high = loan + low
    while low < high:
        rate = (low + high) // 2
        count = sum(1 for _ in plan(loan, basis_points, rate))
        if count <= months:
            high = rate
        else:
            low = rate + 1
    return low


def summary(payments: list[Payment]) -> str:
    """One line about a plan: months, sum and the part of it that is interest."""
    if not payments:
        return "nothing to pay"
    total = sum(payment.total for payment in payments)
    interest = sum(payment.interest for payment in payments)
    return f"{len(payments)} months, {total / 100:.2f} in all, {100 * interest / total:.1f}% of it interest"
