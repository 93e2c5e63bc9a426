"""A buffer of fixed size that forgets the oldest when it is full."""

from typing import Any


class RingBuffer:
    """The last `size` items that were put in, oldest first."""

    def __init__(self, size: int):
        if size < 1:
            raise ValueError("a buffer holds one item at least")
        self._slots: list[Any] = [None] * size
        self._start = 0
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def full(self) -> bool:
        """Whether the next item pushes one out."""
        return self._count == len(self._slots)

    def put(self, item: Any) -> Any:
        """Put an item in; returns the one that is pushed out, or None."""
        place = (self._start + self._count) % len(self._slots)
        if self.full:
            lost = self._slots[place]
            self._start = (self._start + 1) % len(self._slots)
        else:
            lost = None
            self._count += 1
        self._slots[place] = item
        return lost

    def take(self) -> Any:
        """The oldest item, which is taken out; IndexError when there is none."""
        if self._count == 0:
            raise IndexError("the buffer is empty")
        item = self._slots[self._start]
        self._slots[self._start] = None
        self._start = (self._start + 1) % len(self._slots)
        self._count -= 1
        return item

    def __getitem__(self, index: int) -> Any:
        if index < 0:
            index += self._count
        if not 0 <= index < self._count:
            raise IndexError(index)
        return self._slots[(self._start + index) % len(self._slots)]
