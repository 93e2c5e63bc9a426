"""Prices, taxes and discounts: a shop's cart."""

from dataclasses import dataclass, field

TAX = {"book": 5, "food": 0, "other": 20}


@dataclass
class Item:
    """Something to buy; the price is in cents."""

    name: str
    price: int
    kind: str = "other"
    count: int = 1

    def cost(self):
        """Price times count."""
        return self.price * self.count


@dataclass
class Cart:
    """What a customer wants to buy."""

    items: list = field(default_factory=list)
    coupon: int = 0

    def add(self, item):
        """Put an item in; the same item twice adds to the count."""
        for known in self.items:
            if known.name == item.name and known.price == item.price:
                known.count += item.count
                return
        self.items.append(item)

    def remove(self, name):
        """Take all items of that name out."""
        self.items = [item for item in self.items if item.name != name]

    def net(self):
        """What the items cost before tax, the coupon (percent) taken off."""
        full = sum(item.cost() for item in self.items)
        return full * (100 - self.coupon) // 100

    def tax(self):
        """The tax by kind of item, in cents, rounded down."""
        return sum(item.cost() * TAX.get(item.kind, TAX["other"]) // 100 for item in self.items)

    def shipping(self):
        """Free from 50 euros on or with nothing in the cart."""
        if not self.items or self.net() >= 5000:
            return 0
        return 399

    def total(self):
        """All together."""
        return self.net() + self.tax() + self.shipping()
