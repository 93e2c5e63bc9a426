"""Totals over a row of numbers that change: a Fenwick tree."""


class RunningTotals:
    """Numbers by place from 0, with quick sums over any stretch of them."""

    def __init__(self, numbers: list[int]):
        self._values = list(numbers)
        self._tree = [0] * (len(numbers) + 1)
        for place, number in enumerate(numbers, start=1):
            self._tree[place] += number
            parent = place + (place & -place)
            if parent < len(self._tree):
                self._tree[parent] += self._tree[place]

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, place: int) -> int:
        return self._values[place]

    def __setitem__(self, place: int, number: int) -> None:
        self.add(place, number - self._values[place])

    def add(self, place: int, number: int) -> None:
        """Add to the number at a place; IndexError if there is none. Negative places count from the end."""
        if place < 0:
            place += len(self._values)
        if not 0 <= place < len(self._values):
            raise IndexError(f"no place {place}")
        self._values[place] += number
        node = place + 1
        while node < len(self._tree):
            self._tree[node] += number
            node += node & -node

    def before(self, place: int) -> int:
        """The sum of the numbers before a place."""
        total = 0
        node = min(max(place, 0), len(self._values))
        while node > 0:
            total += self._tree[node]
            node -= node & -node
        return total

    def total(self, start: int = 0, end: int | None = None) -> int:
        """The sum from start to before end, by default of all."""
        stop = len(self._values) if end is None else end
        return self.before(stop) - self.before(start) if start < stop else 0

    def reach(self, target: int) -> int | None:
        """The first place up to which, itself included, the sum is at least the target; None if it never is.

        Only for numbers that aren't negative.
        """
        place, rest = 0, target
        step = 1 << len(self._values).bit_length()
        while step:
            following = place + step
            if following < len(self._tree) and self._tree[following] < rest:
                place = following
                rest -= self._tree[following]
            step >>= 1
        return place if place < len(self._values) else None
