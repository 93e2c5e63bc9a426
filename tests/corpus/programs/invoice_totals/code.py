"""Invoices: lines with prices in cents, taxes by rate and discounts."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field


def share(cents: int, percent: int) -> int:
    """So many percent of an amount that isn't negative, rounded to the cent, halves up."""
    return (cents * percent + 50) // 100


@dataclass
class Line:
    """Something sold; the price is for one piece and without tax."""

    text: str
    price: int
    count: int = 1
    tax_percent: int = 19
    discount_percent: int = 0

    @property
    def net(self) -> int:
        """What the line costs without tax."""
        full = self.price * self.count
        return full - share(full, self.discount_percent)


@dataclass
class Invoice:
    """Lines, and the days after which it's due."""

    number: str
    lines: list[Line] = field(default_factory=list)
    due_days: int = 14
    paid: int = 0

    def add(self, text: str, price: int, **details: int) -> Line:
        """Add a line; ValueError for a price or count below zero."""
        line = Line(text, price, **details)
        if line.price < 0 or line.count < 0:
            raise ValueError(f"{text}: prices and counts are not negative")
        self.lines.append(line)
        return line

    def taxes(self) -> dict[int, int]:
        """The tax by rate, reckoned from the sum of all lines of the rate; without rates of zero."""
        nets: dict[int, int] = defaultdict(int)
        for line in self.lines:
            if line.tax_percent:
                nets[line.tax_percent] += line.net
        return {percent: share(net, percent) for percent, net in sorted(nets.items())}

    def total(self) -> int:
        """All lines with their taxes."""
        return sum(line.net for line in self.lines) + sum(self.taxes().values())

    def pay(self, cents: int) -> int:
        """Take a payment in; what was paid too much, which isn't kept."""
        rest = self.total() - self.paid
        kept = min(cents, rest)
        self.paid += kept
        return cents - kept

    def reminder(self, days: int, fee: int = 500) -> int:
        """What is asked for so many days after the invoice: the rest, and a fee for each full week overdue."""
        rest = self.total() - self.paid
        if rest == 0 or days <= self.due_days:
            return rest
        return rest + (days - self.due_days) // 7 * fee
