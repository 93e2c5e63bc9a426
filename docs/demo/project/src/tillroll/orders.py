"""Orders: what a customer wants, and how many."""

from __future__ import annotations

import re

from tillroll.catalogue import Article, Catalogue

_LINE = re.compile(r"\s*(\d+)\s*x?\s+(\S+)\s*", re.IGNORECASE)


class Order:
    """Pieces by article, in the order in which articles were first asked for."""

    def __init__(self) -> None:
        self._pieces: dict[Article, int] = {}

    def add(self, article: Article, pieces: int = 1) -> None:
        """Ask for that many pieces more."""
        if pieces < 1:
            raise ValueError(f"cannot order {pieces} pieces")
        self._pieces[article] = self._pieces.get(article, 0) + pieces

    def lines(self) -> list[tuple[Article, int]]:
        """Each article with its pieces."""
        return list(self._pieces.items())


def parse_order(catalogue: Catalogue, text: str) -> Order:
    """An order written as lines of "12 x TEA-01"; blank lines and # comments are skipped."""
    order = Order()
    for number, line in enumerate(text.splitlines(), 1):
        content = line.split("#", 1)[0].strip()
        if not content:
            continue
        match = _LINE.fullmatch(content)
        if match is None:
            raise ValueError(f"line {number} is not an order line: {line!r}")
        order.add(catalogue[match[2]], int(match[1]))
    return order
