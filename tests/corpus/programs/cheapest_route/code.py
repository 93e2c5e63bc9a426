"""The cheapest way between towns over roads that have a toll."""

import heapq
from collections import defaultdict


class NoRoute(Exception):
    """No road leads from one town to the other."""


def road_map(roads: list[tuple[str, str, int]], one_way: bool = False) -> dict[str, dict[str, int]]:
    """The towns with what it costs to go to each neighbour; of several roads the cheapest counts."""
    towns = defaultdict(dict)
    for start, end, toll in roads:
        if toll < 0:
            raise ValueError(f"negative toll between {start} and {end}")
        towns[start][end] = min(toll, towns[start].get(end, toll))
        if one_way:
            towns.setdefault(end, {})
        else:
            towns[end][start] = min(toll, towns[end].get(start, toll))
    return dict(towns)


def cheapest(towns: dict[str, dict[str, int]], start: str, end: str) -> tuple[int, list[str]]:
    """The cost and the towns of the cheapest way."""
    best = {start: 0}
    previous = {}
    queue = [(0, start)]
    done = set()
    while queue:
        cost, town = heapq.heappop(queue)
        if town in done:
            continue
        if town == end:
            return cost, _way_back(previous, end)
        done.add(town)
        for neighbour, toll in towns.get(town, {}).items():
            if neighbour not in best or cost + toll < best[neighbour]:
                best[neighbour] = cost + toll
                previous[neighbour] = town
                heapq.heappush(queue, (cost + toll, neighbour))
    raise NoRoute(f"from {start} to {end}")


def _way_back(previous: dict[str, str], end: str) -> list[str]:
    way = [end]
    while way[-1] in previous:
        way.append(previous[way[-1]])
    way.reverse()
    return way
