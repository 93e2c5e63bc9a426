"""Long lists in pages, and lazy reading of pages from a source."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Page:
    """A part of a list; numbers count from 1."""

    items: tuple[Any, ...]
    number: int
    pages: int
    total: int

    @property
    def has_next(self) -> bool:
        """Whether another page follows."""
        return self.number < self.pages

    def describe(self) -> str:
        """Which items are shown: '11-20 of 45', or 'nothing'."""
        if not self.items:
            return "nothing"
        last = self.number * len(self.items) if self.has_next else self.total
        return f"{last - len(self.items) + 1}-{last} of {self.total}"


def page_of(items: Sequence[Any], number: int, size: int = 10) -> Page:
    """A page; numbers beyond the ends mean the first or the last one, and an empty list has one empty page."""
    if size < 1:
        raise ValueError("a page has one item at least")
    pages = max(-(-len(items) // size), 1)
    number = min(max(number, 1), pages)
    start = (number - 1) * size
    return Page(tuple(items[start : start + size]), number, pages, len(items))


def links(number: int, pages: int, around: int = 1) -> list[int | None]:
    """The numbers to offer: the first, the last and those around the current one; None stands for a gap.

    A gap of a single page is closed by its number.
    """
    shown = {1, pages, *range(number - around, number + around + 1)}
    result: list[int | None] = []
    last = 0
    for page in sorted(page for page in shown if 1 <= page <= pages):
        if page - last == 2:
            result.append(last + 1)
        elif page - last > 2:
            result.append(None)
        result.append(page)
        last = page
    return result


def read_all(fetch: Callable[[str | None], tuple[list[Any], str | None]], most: int | None = None) -> Iterator[Any]:
    """All items from a source that gives (items, mark of the next page); no page is fetched before it is needed.

    RuntimeError when the source gives a mark that it gave before.
    """
    mark: str | None = None
    seen: set[str] = set()
    count = 0
    while most is None or count < most:
        items, mark = fetch(mark)
        for item in items:
            if count == most:
                return
            yield item
            count += 1
        if mark is None:
            return
        if mark in seen:
            raise RuntimeError(f"the mark {mark} came twice")
        seen.add(mark)
