"""Prices in cents, and offers."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Offer:
    """`buy` articles for the price of `pay`."""

    buy: int
    pay: int

    def paid(self, number: int) -> int:
        """For how many of so many articles one pays."""
        groups, rest = divmod(number, self.buy)
        return groups * self.pay + min(rest, self.pay)


@dataclass(frozen=True)
class Price:
    """What an article costs, and from which number on it's cheaper: {number: cents}."""

    cents: int
    steps: dict[int, int] = field(default_factory=dict)
    offer: Offer | None = None

    def of(self, number: int) -> int:
        """What so many cost."""
        reached = [step for step in self.steps if step <= number]
        cents = self.steps[max(reached)] if reached else self.cents
        return cents * (self.offer.paid(number) if self.offer else number)


def total(
    counts: dict[str, int], prices: dict[str, Price], free_from: int = 5000, shipping: int = 495
) -> tuple[int, int]:
    """(goods, shipping); shipping is free from a sum on, and for nothing."""
    goods = sum(prices[article].of(number) for article, number in counts.items())
    return goods, 0 if goods == 0 or goods >= free_from else shipping
