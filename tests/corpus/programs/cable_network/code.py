"""The cheapest network of cables that joins all buildings."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Cable:
    """A cable that could be laid; the length is in metres."""

    one: str
    other: str
    length: int


def cheapest_network(cables: list[Cable]) -> list[Cable]:
    """The cables to lay, shortest first; each group of buildings that can be joined gets a network."""
    group: dict[str, str] = {}
    members: dict[str, list[str]] = {}
    chosen = []
    for cable in sorted(cables, key=lambda c: (c.length, c.one, c.other)):
        for building in (cable.one, cable.other):
            if building not in group:
                group[building] = building
                members[building] = [building]
        kept, lost = group[cable.one], group[cable.other]
        if kept == lost:
            continue
        for building in members[lost]:
            group[building] = kept
        members[kept] += members.pop(lost)
        chosen.append(cable)
    return chosen


def total_length(cables: list[Cable], spare_percent: int = 10) -> int:
    """Metres to buy, with some percent to spare, rounded up."""
    metres = sum(cable.length for cable in cables)
    return -(-metres * (100 + spare_percent) // 100)


def is_joined(buildings: set[str], cables: list[Cable]) -> bool:
    """Whether the cables lead from each building to each other one."""
    if not buildings:
        return True
    reached = {min(buildings)}
    grown = True
    while grown:
        grown = False
        for cable in cables:
            if (cable.one in reached) != (cable.other in reached):
                reached |= {cable.one, cable.other}
                grown = True
    return buildings <= reached
