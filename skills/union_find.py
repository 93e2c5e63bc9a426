"""Keep things in groups that only ever merge, and tell fast whether two are in the same one.

Union by size with path halving: a row of operations takes almost constant time each (Tarjan and van Leeuwen, JACM
31:2, 1984). No recursion, so chains of any length work.

Thread safety: not safe, and asking changes the inside as well (paths are halved): guard it with one lock.

Words: union, find, disjoint, sets, groups, connected, components, cluster, equivalence.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

__all__ = ["UnionFind"]

T = TypeVar("T", bound=Hashable)


class UnionFind(Generic[T]):
    """Disjoint groups of hashable things. What was never named is in a group of its own; asking does not add it.

    >>> groups = UnionFind("abcde")
    >>> groups.union("a", "c"), groups.union("c", "e"), groups.union("a", "e")
    (True, True, False)
    >>> groups.connected("a", "e"), groups.connected("a", "b"), groups.connected("x", "a")
    (True, False, False)
    >>> groups.groups()
    [['a', 'c', 'e'], ['b'], ['d']]
    """

    def __init__(self, things: Iterable[T] = ()) -> None:
        self._parent: dict[T, T] = {}
        self._size: dict[T, int] = {}
        for thing in things:
            self.add(thing)

    def add(self, thing: T) -> None:
        """Make the thing known, in a group of its own; nothing happens when it is known already."""
        if thing not in self._parent:
            self._parent[thing] = thing
            self._size[thing] = 1

    def union(self, one: T, other: T) -> bool:
        """Merge the groups of both, adding what is new. False when they were in the same group already."""
        self.add(one)
        self.add(other)
        large, small = self._root(one), self._root(other)
        if large is small:
            return False
        if self._size[large] < self._size[small]:
            large, small = small, large
        self._parent[small] = large
        self._size[large] += self._size.pop(small)
        return True

    def connected(self, one: T, other: T) -> bool:
        """Whether both are in the same group; a thing is always connected with itself."""
        if one not in self._parent or other not in self._parent:
            return one == other
        return self._root(one) is self._root(other)

    def size(self, thing: T) -> int:
        """How many things are in its group."""
        return self._size[self._root(thing)] if thing in self._parent else 1

    def groups(self) -> list[list[T]]:
        """All groups; things, and groups by their first thing, in the order in which they were added."""
        by_root: dict[T, list[T]] = {}
        for thing in self._parent:
            by_root.setdefault(self._root(thing), []).append(thing)
        return list(by_root.values())

    def __len__(self) -> int:
        """How many groups there are."""
        return len(self._size)

    def _root(self, thing: T) -> T:
        # A root is its own parent, the very object: a comparison would never end for a NaN, which differs from itself.
        parent = self._parent
        while parent[thing] is not thing:
            parent[thing] = parent[parent[thing]]
            thing = parent[thing]
        return thing
