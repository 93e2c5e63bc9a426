"""Rooms and the ways between them."""

from __future__ import annotations

from dataclasses import dataclass, field

OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east", "up": "down", "down": "up"}


@dataclass
class Room:
    """A room with things, and ways out by direction."""

    name: str
    things: set[str] = field(default_factory=set)
    exits: dict[str, str] = field(default_factory=dict)
    key: str | None = None


class World:
    """All rooms by name."""

    def __init__(self, rooms: list[Room]):
        self.rooms = {room.name: room for room in rooms}

    def connect(self, one: str, direction: str, other: str) -> None:
        """A way between two rooms, and back; ValueError when there is one already."""
        back = OPPOSITE[direction]
        if direction in self.rooms[one].exits or back in self.rooms[other].exits:
            raise ValueError(f"the way {direction} of {one} is taken")
        self.rooms[one].exits[direction] = other
        self.rooms[other].exits[back] = one

    def steps_between(self, start: str, goal: str) -> int | None:
        """How many steps lie between two rooms; None without a way."""
        steps = {start: 0}
        queue = [start]
        for name in queue:
            for following in self.rooms[name].exits.values():
                if following not in steps:
                    steps[following] = steps[name] + 1
                    queue.append(following)
        return steps.get(goal)
