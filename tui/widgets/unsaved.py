"""What is written on a screen and saved nowhere: it is not thrown away at the first key that leaves the screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

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

    def at_stake(self) -> Texts:
        """Those of them that are worth a word."""
        return self.unsaved()

    def may_be_left(self, how: str) -> bool:
        """Whether it may be left in this way. Where something would be lost the person is told, and it may be when they
        do the same again without having written on."""
        return keeping([self], how) is None

    def warn(self, text: str) -> None:
        """Tell the person."""
        self.query_one(Told).tell(text)


def keeping(screens: Sequence[Unsaved[Any]], how: str) -> Unsaved[Any] | None:
    """The first of the screens that keeps the person from leaving all of them in this way, None where none does. They
    are told there, once for all of them; see `Unsaved.may_be_left`."""
    losing = [(screen, (how, texts)) for screen in screens if (texts := screen.at_stake())]
    if all(screen._warned_of == warned_of for screen, warned_of in losing):
        return None
    for screen, warned_of in losing:
        screen._warned_of = warned_of
    first = losing[0][0]
    lost = ". ".join(dict.fromkeys(screen.LOSES for screen, _ in losing))
    told = f"{lost}: {how} once more throws that away{first.KEEPS if len(losing) == 1 else ''}."
    if first.is_mounted:
        first.warn(told)
    else:
        first.call_later(first.warn, told)  # its parts are not there yet
    return first
