"""What a model says while it says it: gathered where it arrives, and shown in larger pieces."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable

from treadle.plugins.models.halves import joined


class Deltas:
    """`add` is for the thread in which the stream is read, `show` for the one that may use the context."""

    def __init__(self, told: Callable[[str, bool], None]) -> None:
        self._told = told
        self._pieces: deque[tuple[str, bool]] = deque()
        self._halves = {False: "", True: ""}

    def add(self, text: str, thinking: bool) -> None:
        """A piece has come. The first half of a character waits for its second one, in a piece of the same kind."""
        text = self._halves[thinking] + text
        self._halves[thinking] = half = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        self._pieces.append((joined((text.removesuffix(half),)), thinking))

    def end(self) -> None:
        """The answer has ended, in the thread in which it is read: half a character that still waits is a lost one."""
        for thinking, half in self._halves.items():
            if half:
                self._pieces.append((joined((half,)), thinking))
        self._halves = dict.fromkeys(self._halves, "")

    def show(self) -> None:
        """Tell what has come since the last time, in its order."""
        ready = [self._pieces.popleft() for _ in range(len(self._pieces))]
        for thinking, pieces in itertools.groupby(ready, key=lambda piece: piece[1]):
            self._told("".join(text for text, _ in pieces), thinking)
