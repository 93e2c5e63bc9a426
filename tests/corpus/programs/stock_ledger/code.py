"""Stock of a shop: batches that came in at a price go out first in, first out."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass


class OutOfStock(Exception):
    """There isn't enough of an article."""

    def __init__(self, article: str, wanted: int, there: int):
        super().__init__(f"{wanted} {article} wanted, {there} there")
        self.missing = wanted - there


@dataclass
class Batch:
    """Pieces of an article that came in together, with what each of them cost in cents."""

    count: int
    price: int


class Stock:
    """Articles by name, each with its batches, oldest first."""

    def __init__(self, low: int = 5):
        self._batches: dict[str, deque[Batch]] = {}
        self._low = low
        self.profit = 0

    def count(self, article: str) -> int:
        """How many pieces are there."""
        return sum(batch.count for batch in self._batches.get(article, ()))

    def receive(self, article: str, count: int, price: int) -> None:
        """Take pieces in; with the same price as the newest batch they join it."""
        if count <= 0:
            raise ValueError("nothing was received")
        batches = self._batches.setdefault(article, deque())
        if batches and batches[-1].price == price:
            batches[-1].count += count
        else:
            batches.append(Batch(count, price))

    def sell(self, article: str, count: int, price: int) -> int:
        """Sell pieces at a price each; what they had cost. Nothing changes when there aren't enough."""
        there = self.count(article)
        if count > there:
            raise OutOfStock(article, count, there)
        cost = 0
        rest = count
        batches = self._batches.get(article, deque())
        while rest > 0:
            batch = batches[0]
            taken = min(rest, batch.count)
            cost += taken * batch.price
            batch.count -= taken
            rest -= taken
            if batch.count == 0:
                batches.popleft()
        self.profit += count * price - cost
        return cost

    def value(self) -> int:
        """What all that is there had cost."""
        return sum(batch.count * batch.price for batches in self._batches.values() for batch in batches)

    def to_order(self) -> list[tuple[str, int]]:
        """(article, pieces) to order, so that twice the low mark is there of each that is below it."""
        found = []
        for article in sorted(self._batches):
            there = self.count(article)
            if there < self._low:
                found.append((article, 2 * self._low - there))
        return found
