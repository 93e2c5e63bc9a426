"""The largest few of many: a heap that stays small."""

import heapq
from collections.abc import Iterable


class TopScores:
    """The best `size` (score, player) entries of all that were added; of equal scores the earlier entry is better."""

    def __init__(self, size: int = 10):
        self.size = size
        self.seen = 0
        self._heap: list[tuple[int, int, str]] = []

    def add(self, player: str, score: int) -> bool:
        """Whether the entry is among the best, for now."""
        self.seen += 1
        entry = (score, -self.seen, player)
        if len(self._heap) < self.size:
            heapq.heappush(self._heap, entry)
            return True
        if not self._heap or entry < self._heap[0]:
            return False
        heapq.heapreplace(self._heap, entry)
        return True

    def add_all(self, entries: Iterable[tuple[str, int]]) -> int:
        """Add entries; how many of them were among the best when they came."""
        return sum([self.add(player, score) for player, score in entries])

    def best(self) -> list[tuple[str, int]]:
        """The best entries, the best of them first."""
        return [(player, score) for score, _, player in sorted(self._heap, reverse=True)]

    def needed(self) -> int:
        """The lowest score with which a new entry would be among the best (0 while there is room)."""
        if len(self._heap) < self.size:
            return 0
        return self._heap[0][0] + 1

    def place_of(self, player: str) -> int | None:
        """The place of the player's best entry, from 1; None when there is none."""
        for place, (name, _) in enumerate(self.best(), start=1):
            if name == player:
                return place
        return None
