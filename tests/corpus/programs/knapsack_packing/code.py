"""Packing a bag: the most valuable things that together aren't too heavy."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Thing:
    """Something to take along; the weight is in grams."""

    name: str
    weight: int
    value: int


def pack(things, limit):
    """The names of the things to take, in the order of the list: the most value within the limit.

    Of equally valuable packings it is the one that leaves out the later things.
    """
    best = [[0] * (limit + 1)]
    for thing in things:
        before = best[-1]
        row = before.copy()
        for room in range(thing.weight, limit + 1):
            row[room] = max(before[room], before[room - thing.weight] + thing.value)
        best.append(row)
    taken = []
    room = limit
    for index in range(len(things), 0, -1):
        if best[index][room] != best[index - 1][room]:
            taken.append(things[index - 1].name)
            room -= things[index - 1].weight
    taken.reverse()
    return taken


def load(things, names):
    """(weight, value) of the named things; KeyError for a name that isn't there."""
    known = {thing.name: thing for thing in things}
    weight = value = 0
    for name in names:
        weight += known[name].weight
        value += known[name].value
    return weight, value


def greedy(things, limit):
    """A quick packing: always the thing with the most value for its weight that still fits."""
    taken = []
    for thing in sorted(things, key=lambda t: t.value / t.weight, reverse=True):
        if thing.weight <= limit:
            taken.append(thing.name)
            limit -= thing.weight
    return taken
