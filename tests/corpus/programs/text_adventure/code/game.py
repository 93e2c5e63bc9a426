"""The game itself."""

from __future__ import annotations

from subject.commands import Unknown, parse
from subject.world import World


class Game:
    """A player in a world, who can carry some things."""

    def __init__(self, world: World, start: str, carry: int = 3):
        self.world = world
        self.room = world.rooms[start]
        self.carry = carry
        self.bag: set[str] = set()
        self.moves = 0

    def do(self, text: str) -> str:
        """Do what was typed; what happens, as text. Only what is done counts as a move."""
        try:
            verb, noun = parse(text)
        except Unknown as error:
            return f"{error}"
        if verb == "look":
            return self.look()
        if verb == "inventory":
            return f"You carry {self._list(self.bag)}."
        done, answer = {"go": self._go, "take": self._take, "drop": self._drop}[verb](noun)
        if done:
            self.moves += 1
        return answer

    def look(self) -> str:
        """The room, its things and its ways out."""
        ways = ", ".join(sorted(self.room.exits)) or "nowhere"
        return f"{self.room.name}. You see {self._list(self.room.things)}. Ways: {ways}."

    @staticmethod
    def _list(things: set[str]) -> str:
        names = sorted(things)
        if len(names) > 1:
            return ", ".join(names[:-1]) + " and " + names[-1]
        return names[0] if names else "nothing"

    def _go(self, way: str) -> tuple[bool, str]:
        name = self.room.exits.get(way)
        if name is None:
            return False, f"There is no way {way}."
        following = self.world.rooms[name]
        if following.key is not None and following.key not in self.bag:
            return False, "It is locked."
        self.room = following
        return True, self.look()

    def _take(self, thing: str) -> tuple[bool, str]:
        if thing not in self.room.things:
            return False, f"There is no {thing}."
        if len(self.bag) >= self.carry:
            return False, "Your bag is full."
        self.room.things.remove(thing)
        self.bag.add(thing)
        return True, "Taken."

    def _drop(self, thing: str) -> tuple[bool, str]:
        if thing not in self.bag:
            return False, f"You have no {thing}."
        self.bag.discard(thing)
        self.room.things.add(thing)
        return True, "Dropped."
