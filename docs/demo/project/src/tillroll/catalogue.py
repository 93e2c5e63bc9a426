"""The price list: articles by their number."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from tillroll.discounts import Tier, parse_tiers
from tillroll.money import parse_amount


@dataclass(frozen=True)
class Article:
    """One line of the price list. `price` is cents for one piece, without VAT; `vat` is its percent."""

    number: str
    name: str
    price: int
    vat: Decimal
    tiers: tuple[Tier, ...] = ()


class Catalogue:
    """Articles, found by number without regard to case."""

    def __init__(self, articles: Iterable[Article]) -> None:
        self._articles: dict[str, Article] = {}
        for article in articles:
            key = article.number.casefold()
            if key in self._articles:
                raise ValueError(f"article {article.number} is listed twice")
            self._articles[key] = article

    @classmethod
    def from_csv(cls, lines: Iterable[str]) -> Catalogue:
        """Read columns number, name, price, vat and tiers."""
        return cls(
            Article(
                number=row["number"].strip(),
                name=row["name"].strip(),
                price=parse_amount(row["price"]),
                vat=Decimal(row["vat"]),
                tiers=parse_tiers(row.get("tiers") or ""),
            )
            for row in csv.DictReader(lines)
        )

    def __getitem__(self, number: str) -> Article:
        try:
            return self._articles[number.casefold()]
        except KeyError:
            raise KeyError(f"no article {number}") from None

    def __iter__(self) -> Iterator[Article]:
        return iter(self._articles.values())

    def __len__(self) -> int:
        return len(self._articles)
