"""What is written on a screen and saved nowhere: it is not thrown away at the first key that leaves the screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.screen import Screen, ScreenResultType

from treadle.tui.widgets.told import Told

Texts = Sequence[tuple[str, str]]
"""Texts, each behind a name that says what it is."""


class Unsaved(Screen[ScreenResultType]):
    """A screen on which something is written that goes with it."""

    LOSES: ClassVar[str] = "You have changed it"
    KEEPS: ClassVar[str] = ""
    """What keeps it, as it is told."""

    _warned_of: tuple[str, Texts] | None = None

    def unsaved(self) -> Texts:
        """The texts that would be lost just now; none where nothing would be. It is asked at any time, also while its
        fields are not there yet."""
        raise NotImplementedError

    def may_be_left(self, how: str) -> bool:
        """Whether it may be left in this way. Where something would be lost the person is told, and it may be when they
        do the same again without having written on."""
        unsaved = self.unsaved()
        if not unsaved or (how, unsaved) == self._warned_of:
            return True
        self._warned_of = (how, unsaved)
        self.warn(f"{self.LOSES}: {how} once more throws that away{self.KEEPS}.")
        return False

    def warn(self, text: str) -> None:
        """Tell the person."""
        self.query_one(Told).tell(text)
