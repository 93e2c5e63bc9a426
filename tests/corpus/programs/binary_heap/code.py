"""A binary heap: the smallest item is always at hand."""

from collections.abc import Callable, Iterable
from typing import Any


class BinaryHeap:
    """Items of which the one with the smallest key can be taken out; the largest with `largest`."""

    def __init__(self, items: Iterable[Any] = (), key: Callable[[Any], Any] | None = None, largest: bool = False):
        self._items = list(items)
        self._key = key
        self._largest = largest
        for place in reversed(range(len(self._items) // 2)):
            self._sink(place)

    def __len__(self) -> int:
        return len(self._items)

    def _before(self, one: Any, other: Any) -> bool:
        if self._key is not None:
            one, other = self._key(one), self._key(other)
        return other < one if self._largest else one < other

    def _swap(self, i: int, j: int) -> None:
        self._items[i], self._items[j] = self._items[j], self._items[i]

    def _rise(self, place: int) -> None:
        while place > 0:
            parent = (place - 1) // 2
            if not self._before(self._items[place], self._items[parent]):
                break
            self._swap(place, parent)
            place = parent

    def _sink(self, place: int) -> None:
        while True:
            first = place
            for child in (2 * place + 1, 2 * place + 2):
                if child < len(self._items) and self._before(self._items[child], self._items[first]):
                    first = child
            if first == place:
                return
            self._swap(place, first)
            place = first

    def push(self, item: Any) -> None:
        """Put an item in."""
        self._items.append(item)
        self._rise(len(self._items) - 1)

    def peek(self, default: Any = None) -> Any:
        """The first item, which stays; the default if there is none."""
        return self._items[0] if self._items else default

    def pop(self) -> Any:
        """Take the first item out; IndexError if there is none."""
        if not self._items:
            raise IndexError("the heap is empty")
        self._swap(0, len(self._items) - 1)
        item = self._items.pop()
        self._sink(0)
        return item
