"""What a terminal that shows ASCII alone is given: in place of any other character one that takes as many cells."""

from __future__ import annotations

from rich.cells import split_graphemes
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

_DRAWN = str.maketrans(
    {
        **dict.fromkeys("─━═╌╍▁▔▂▃", "-"),
        **dict.fromkeys("│┃║▏▎▍▌▋▊▉▕▐", "|"),
        **dict.fromkeys("╭╮╰╯┌┐└┘┏┓┗┛╔╗╚╝├┤┬┴┼", "+"),
        **dict.fromkeys("█▇▆▅▄▀", "#"),
        "·": "-",
        "•": "*",
        "…": "~",
        "★": "*",
        "✓": "+",
        "✗": "x",
        "▸": ">",
        "▾": "v",
        "\u00a0": " ",
        "🔎": "/ ",
    }
)
"""What the screen itself is drawn with. Text that others wrote keeps its places, and says by `?` that something stands
there: a letter in place of another could make it look like other text."""


def in_ascii(text: str) -> str:
    """The text in ASCII alone, as many cells wide."""
    drawn = text.translate(_DRAWN)
    if drawn.isascii():
        return drawn
    return "".join(
        drawn[begin:end] if drawn[begin:end].isascii() else "?" * wide for begin, end, wide in split_graphemes(drawn)[0]
    )


class AsciiOnly(LineFilter):
    """Applied to all that is drawn, whichever widget draws it."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments with their text in ASCII alone."""
        return [
            Segment(in_ascii(text), style, control) if control is None else Segment(text, style, control)
            for text, style, control in segments
        ]
