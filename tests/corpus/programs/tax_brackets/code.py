"""A progressive tax: each part of an income is taxed at the rate of its bracket."""

from __future__ import annotations

from bisect import bisect_right

Bracket = tuple[int, int]


class TaxTable:
    """Brackets as (from, percent) with incomes in whole currency units; what is below the first one is free."""

    def __init__(self, brackets: list[Bracket]):
        if not brackets:
            raise ValueError("no brackets")
        self.brackets = sorted(brackets)
        starts = [start for start, _ in self.brackets]
        if len(set(starts)) < len(starts):
            raise ValueError("two brackets begin at the same income")
        if starts[0] < 0:
            raise ValueError("a bracket begins below zero")
        self._starts = starts

    def rate(self, income: int) -> int:
        """The percentage for the next unit above the income."""
        place = bisect_right(self._starts, income)
        return self.brackets[place - 1][1] if place else 0

    def tax(self, income: int) -> int:
        """The tax in whole units, rounded down."""
        hundredths = 0
        for index, (start, percent) in enumerate(self.brackets):
            if income <= start:
                break
            is_last = index + 1 == len(self.brackets)
            end = income if is_last else min(income, self.brackets[index + 1][0])
            hundredths += (end - start) * percent
        return hundredths // 100

    def net(self, income: int, deductions: int = 0) -> int:
        """What is left of the income, of which deductions aren't taxed."""
        return income - self.tax(max(income - deductions, 0))

    def gross_for(self, wanted: int) -> int:
        """The smallest income of which at least so much is left; ValueError if the top rate is 100 or more."""
        if self.brackets[-1][1] >= 100:
            raise ValueError("nothing more is left of higher incomes")
        low, high = 0, max(wanted, 1)
        while self.net(high) < wanted:
            high *= 2
        while low < high:
            middle = (low + high) // 2
            if self.net(middle) >= wanted:
                high = middle
            else:
                low = middle + 1
        return low

    def explain(self, income: int) -> list[str]:
        """A line for each bracket that the income reaches."""
        reached = [bracket for bracket in self.brackets if bracket[0] < income]
        if not reached:
            return []
        ends = [start for start, _ in reached[1:]] + [income]
        return [
            f"{start:>7,} to {end:>7,} at {percent:2}%" for (start, percent), end in zip(reached, ends, strict=True)
        ]
