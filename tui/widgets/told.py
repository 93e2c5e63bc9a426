"""What the person must know just now, above the input: it stays until they have done something about it."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from treadle.tui.safe_text import clean_line

MOST = 3
"""Messages that stand there at once; older ones make room."""


class Told(Static):
    """A few messages, the newest last; no row where there is none."""

    DEFAULT_CSS = """
    Told { height: auto; max-height: 9; padding: 0 1; display: none; background: $surface; }
    """

    def __init__(self) -> None:
        super().__init__(markup=False)
        self._messages: list[tuple[str, bool]] = []

    def tell(self, text: str, *, grave: bool = False) -> None:
        """Say it; nothing in it is taken for markup."""
        told = (clean_line(text), grave)
        self._messages = [*(each for each in self._messages if each != told), told][-MOST:]
        self._draw()

    def forget(self) -> None:
        """The person has gone on."""
        self._messages = []
        self._draw()

    def _draw(self) -> None:
        self.display = bool(self._messages)
        lines = [(f"{'✗' if grave else '·'} {text}", "$text-error" if grave else "") for text, grave in self._messages]
        self.update(Content("\n").join(Content.assemble(line) for line in lines))
