"""The way of an order."""

from __future__ import annotations

from subject.basket import Basket
from subject.pricing import Price, total

NEXT = {
    "new": {"pay": "paid", "cancel": "cancelled"},
    "paid": {"send": "sent", "cancel": "refunded"},
    "sent": {"arrive": "done", "return": "refunded"},
}


class WrongState(Exception):
    """A step that isn't possible now."""


class Order:
    """An order keeps the prices of the time when it was made."""

    def __init__(self, basket: Basket, prices: dict[str, Price]):
        self.counts = basket.counts()
        if not self.counts:
            raise ValueError("nothing was ordered")
        self.goods, self.shipping = total(self.counts, prices)
        self.state = "new"
        self.log: list[str] = ["new"]

    @property
    def sum(self) -> int:
        """Goods and shipping."""
        return self.goods + self.shipping

    def steps(self) -> list[str]:
        """The steps that are possible."""
        return sorted(NEXT.get(self.state, {}))

    def step(self, name: str) -> str:
        """Take a step; the new state."""
        if name not in self.steps():
            raise WrongState(f"{name} of an order that is {self.state}")
        self.state = NEXT[self.state][name]
        self.log.append(self.state)
        return self.state

    def refund(self) -> int:
        """What is given back: all of an order that was never sent, else the goods."""
        if self.state != "refunded":
            return 0
        return self.goods if "sent" in self.log else self.sum
