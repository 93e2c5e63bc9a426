"""Put things in an order in which each comes after all that it depends on, or name a cycle that forbids it.

The order is stable: whenever several things could come next, the one that was named first does, so that equal input
gives equal output and an order that was right already is kept (`graphlib` of the standard library promises neither).
Kahn's algorithm (CACM 5:11, 1962) with a heap: O((n + m) log n) for n things and m dependencies.

Thread safety: nothing is shared or changed; safe as long as no other thread changes the mapping meanwhile.

Words: topological, sort, order, dependencies, graph, cycle, dag, schedule, build.
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

__all__ = ["CycleError", "topological_sort"]

T = TypeVar("T", bound=Hashable)


class CycleError(ValueError):
    """The dependencies go in a circle. `cycle` begins and ends with the same thing; each depends on the next."""

    def __init__(self, cycle: tuple[Hashable, ...]) -> None:
        super().__init__("dependencies go in a circle: " + " -> ".join(map(str, cycle)))
        self.cycle = cycle


def topological_sort(dependencies: Mapping[T, Iterable[T]]) -> list[T]:
    """All things named in `dependencies`, as key or as dependency, each after those that its key maps to.

    A dependency named twice counts once; each iterable is read once. Raises `CycleError` (a `ValueError`), which also
    covers a thing that depends on itself.

    >>> topological_sort({"test": ["build"], "build": ["fetch", "configure"], "configure": ["fetch"]})
    ['fetch', 'configure', 'build', 'test']
    >>> try:
    ...     topological_sort({"a": ["b"], "b": ["c"], "c": ["a"]})
    ... except CycleError as error:
    ...     print(error)
    dependencies go in a circle: a -> b -> c -> a
    """
    waits_for: dict[T, set[T]] = {}
    wanted_by: dict[T, list[T]] = {}
    place: dict[T, int] = {}
    for thing, needed in dependencies.items():
        waits_for.setdefault(thing, set())
        place.setdefault(thing, len(place))
        for other in needed:
            place.setdefault(other, len(place))
            waits_for.setdefault(other, set())
            if other not in waits_for[thing]:
                waits_for[thing].add(other)
                wanted_by.setdefault(other, []).append(thing)

    things = list(place)
    ready = [place[thing] for thing, needed in waits_for.items() if not needed]
    heapq.heapify(ready)
    order: list[T] = []
    while ready:
        thing = things[heapq.heappop(ready)]
        order.append(thing)
        for waiting in wanted_by.get(thing, ()):
            waits_for[waiting].discard(thing)
            if not waits_for[waiting]:
                heapq.heappush(ready, place[waiting])
    if len(order) < len(things):
        cycle = _a_cycle(waits_for, place)
        raise CycleError(cycle)
    return order


def _a_cycle(waits_for: dict[T, set[T]], place: dict[T, int]) -> tuple[T, ...]:
    """Every thing left waits for another one left, so walking along must come back to where it has been."""
    path: list[T] = []
    seen: dict[T, int] = {}
    left = {thing: needed for thing, needed in waits_for.items() if needed}
    here = next(iter(left))
    while here not in seen:
        seen[here] = len(path)
        path.append(here)
        here = min(left[here], key=lambda thing: place[thing])
    return (*path[seen[here] :], here)
