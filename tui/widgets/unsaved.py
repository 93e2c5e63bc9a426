"""What is written on a screen and saved nowhere: it is not thrown away at the first key that leaves the screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual.screen import Screen, ScreenResultType
from textual.widgets import Input, TextArea

from treadle.tui.widgets.told import Told


class Unsaved(Screen[ScreenResultType]):
    """A screen on which something is written that goes with it."""

    KEEPS: ClassVar[str] = ""
    """What keeps it, as it is told."""

    _warned_of: tuple[str, object] | None = None

    def unsaved(self) -> object:
        """What would be lost just now; None for nothing."""
        raise NotImplementedError

    def unsaved_texts(self) -> Mapping[str, str]:
        """The same as text, by names that say what each is."""
        fields = [*self.query(Input), *self.query(TextArea)]
        return {field.id or "text": field.value if isinstance(field, Input) else field.text for field in fields}

    def may_be_left(self, how: str) -> bool:
        """Whether it may be left in this way. Where something would be lost the person is told, and it may be when they
        do the same again without having written on."""
        unsaved = self.unsaved()
        if unsaved is None or (how, unsaved) == self._warned_of:
            return True
        self._warned_of = (how, unsaved)
        self.warn(f"You have changed it: {how} once more throws that away{self.KEEPS}.")
        return False

    def warn(self, text: str) -> None:
        """Tell the person."""
        self.query_one(Told).tell(text)
