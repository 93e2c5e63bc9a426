"""What somebody wants to buy."""

from __future__ import annotations

from collections import Counter


class Basket:
    """Numbers of articles, at most `most` of each."""

    def __init__(self, most: int = 99):
        self.most = most
        self._counts: Counter[str] = Counter()

    def put(self, article: str, number: int = 1) -> int:
        """Add some of an article; how many of it there are then."""
        if number < 1:
            raise ValueError("put one in at least")
        self._counts[article] = min(self._counts[article] + number, self.most)
        return self._counts[article]

    def take(self, article: str, number: int | None = None) -> None:
        """Take some out, or all of it; KeyError when it isn't there."""
        if article not in self._counts:
            raise KeyError(article)
        left = 0 if number is None else self._counts[article] - number
        if left > 0:
            self._counts[article] = left
        else:
            del self._counts[article]

    def counts(self) -> dict[str, int]:
        """The numbers by article, sorted."""
        return dict(sorted(self._counts.items()))

    def merge(self, other: Basket) -> None:
        """Add all that is in another basket, which stays as it is."""
        for article, number in other.counts().items():
            self.put(article, number)
