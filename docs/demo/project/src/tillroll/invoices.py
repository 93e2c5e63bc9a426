"""Invoices: an order with its prices, discounts and VAT."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from tillroll.discounts import discount_for
from tillroll.money import percent_of, split
from tillroll.orders import Order


@dataclass(frozen=True)
class InvoiceLine:
    """One article of an invoice; `net` is what is charged for it in cents, after the discount."""

    number: str
    name: str
    pieces: int
    price: int
    discount: Decimal
    net: int
    vat: Decimal


@dataclass(frozen=True)
class Invoice:
    """What the customer gets to see."""

    lines: tuple[InvoiceLine, ...]

    @property
    def net(self) -> int:
        """The sum without VAT, in cents."""
        return sum(line.net for line in self.lines)

    def vat_by_rate(self) -> dict[Decimal, int]:
        """The VAT in cents for each rate, lowest first; rounded once for each rate, as the tax office wants it."""
        sums: dict[Decimal, int] = {}
        for line in self.lines:
            sums[line.vat] = sums.get(line.vat, 0) + line.net
        return {rate: percent_of(sums[rate], rate) for rate in sorted(sums)}

    @property
    def gross(self) -> int:
        """What is to be paid, in cents."""
        return self.net + sum(self.vat_by_rate().values())


def make_invoice(order: Order, freight: int = 0) -> Invoice:
    """Price an order. `freight` cents are spread over the lines by their value."""
    priced = []
    for article, pieces in order.lines():
        discount = discount_for(article.tiers, pieces)
        full = article.price * pieces
        priced.append((article, pieces, discount, full - percent_of(full, discount)))
    shares = [0] * len(priced)
    if freight and priced:
        shares = split(freight, [max(net, 1) for *_, net in priced])
    return Invoice(
        tuple(
            InvoiceLine(article.number, article.name, pieces, article.price, discount, net + share, article.vat)
            for (article, pieces, discount, net), share in zip(priced, shares, strict=True)
        )
    )
