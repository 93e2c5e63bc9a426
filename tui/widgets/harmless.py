"""The last wall before the terminal: nothing that it would obey is in what is drawn, whichever widget draws it.

Rows, dialogs and messages make text fit by themselves, each in its own way. What a text field draws is as it was
written, or as it lies in a file.
"""

from __future__ import annotations

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from treadle.tui.safe_text import OBEYED


class Harmless(LineFilter):
    """Takes the place of such characters, and of no cell."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments, each as wide as it was."""
        if not any(control is None and OBEYED.search(text) for text, _, control in segments):
            return segments
        return [
            Segment(OBEYED.sub(lambda found: "?" * cell_len(found[0]), text), style, control)
            if control is None and OBEYED.search(text)
            else Segment(text, style, control)
            for text, style, control in segments
        ]
