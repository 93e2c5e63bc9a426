"""What the person must know just now, above the input: it stays until they have done something about it, or it does not
hold any more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual.content import Content

from treadle.tui.safe_text import clean_line
from treadle.tui.widgets.changing_text import ChangingText

MOST = 3
"""Messages that stand there at once; older ones make room."""


@dataclass(frozen=True)
class _Message:
    text: str
    grave: bool
    holds: Callable[[], bool]
    answers: bool


class Told(ChangingText):
    """A few messages, the newest last; no row where there is none."""

    DEFAULT_CSS = """
    Told { height: auto; max-height: 9; padding: 0 1; display: none; background: $surface; }
    """

    def __init__(self) -> None:
        super().__init__(markup=False)
        self._messages: list[_Message] = []

    def tell(
        self, text: str, *, grave: bool = False, holds: Callable[[], bool] = lambda: True, answers: bool = False
    ) -> None:
        """Say it; nothing in it is taken for markup. `holds` says whether it is true still. `answers`: it is what came
        of what the person did last; what came of the thing before makes room."""
        told = _Message(clean_line(text), grave, holds, answers)
        before = [each for each in self._messages if (each.text, each.grave) != (told.text, grave)]
        self._messages = [*(each for each in before if not (answers and each.answers)), told][-MOST:]
        self._draw()

    def only_what_holds(self) -> None:
        """Things stand otherwise by now: what is not true any more is told no more."""
        held = [each for each in self._messages if each.holds()]
        if len(held) != len(self._messages):
            self._messages = held
            self._draw()

    def forget(self) -> None:
        """The person has gone on."""
        self._messages = []
        self._draw()

    def _draw(self) -> None:
        self.display = bool(self._messages)
        lines = [
            (f"{'✗' if each.grave else '·'} {each.text}", "$text-error" if each.grave else "")
            for each in self._messages
        ]
        self.update(Content("\n").join(Content.assemble(line) for line in lines))
