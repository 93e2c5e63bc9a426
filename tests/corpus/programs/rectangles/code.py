"""Rectangles on a screen: left, top, width and height, with y growing downwards."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Rect:
    """A rectangle; its right and bottom edges don't belong to it."""

    left: int
    top: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The first column that is no longer inside."""
        return self.left + self.width

    @property
    def bottom(self) -> int:
        """The first row that is no longer inside."""
        return self.top + self.height

    def contains(self, x: int, y: int) -> bool:
        """Whether the cell is inside."""
        return self.left <= x < self.right and self.top <= y < self.bottom

    def intersection(self, other: Rect) -> Rect | None:
        """What both cover; None if nothing."""
        left, top = max(self.left, other.left), max(self.top, other.top)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        if left >= right or top >= bottom:
            return None
        return Rect(left, top, right - left, bottom - top)

    def union(self, other: Rect) -> Rect:
        """The smallest rectangle around both."""
        left, top = min(self.left, other.left), min(self.top, other.top)
        right, bottom = max(self.right, other.right), max(self.bottom, other.bottom)
        return Rect(left, top, right - left, bottom - top)

    def moved_into(self, frame: Rect) -> Rect:
        """The same size, moved as little as possible to lie in the frame; to its left top if it's too large."""
        left = max(frame.left, min(self.left, frame.right - self.width))
        top = max(frame.top, min(self.top, frame.bottom - self.height))
        return replace(self, left=left, top=top)

    def split(self, columns: int) -> list[Rect]:
        """Side by side parts as equal as they can be; the first ones are wider by one where it doesn't divide."""
        width, rest = divmod(self.width, columns)
        parts = []
        left = self.left
        for index in range(columns):
            own = width + 1 if index < rest else width
            parts.append(Rect(left, self.top, own, self.height))
            left += own
        return parts
