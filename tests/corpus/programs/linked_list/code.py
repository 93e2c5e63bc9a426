"""A singly linked list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass
class Node:
    """A value and what follows it."""

    value: Any
    next: Node | None = None


class LinkedList:
    """A list that knows its first and its last node."""

    def __init__(self, values: Iterable[Any] = ()):
        self.first: Node | None = None
        self.last: Node | None = None
        for value in values:
            self.append(value)

    def __iter__(self) -> Iterator[Any]:
        node = self.first
        while node is not None:
            yield node.value
            node = node.next

    def append(self, value: Any) -> None:
        """Add a value at the end."""
        node = Node(value)
        if self.last is None:
            self.first = node
        else:
            self.last.next = node
        self.last = node

    def insert_sorted(self, value: Any) -> None:
        """Add a value to a sorted list, behind its equals."""
        if self.last is None or not value < self.last.value:
            self.append(value)
            return
        if self.first is None or value < self.first.value:
            self.first = Node(value, self.first)
            return
        node = self.first
        while node.next is not None and not value < node.next.value:
            node = node.next
        node.next = Node(value, node.next)

    def remove(self, value: Any) -> bool:
        """Take the first such value out; False if there is none."""
        before, node = None, self.first
        while node is not None and node.value != value:
            before, node = node, node.next
        if node is None:
            return False
        if before is None:
            self.first = node.next
        else:
            before.next = node.next
        if node is self.last:
            self.last = before
        return True

    def reverse(self) -> None:
        """Turn the order round."""
        node, behind = self.first, None
        self.first, self.last = self.last, self.first
        while node is not None:
            node.next, behind, node = behind, node, node.next

    def from_end(self, index: int) -> Any:
        """The value so many places before the last one; IndexError when the list is too short."""
        ahead = self.first
        for _ in range(index):
            if ahead is None:
                break
            ahead = ahead.next
        if ahead is None:
            raise IndexError(index)
        node = self.first
        while ahead.next is not None:
            node, ahead = node.next, ahead.next
        return node.value
