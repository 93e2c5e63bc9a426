"""Plots in characters: a row of levels for a series, a bar for one value.

The characters are those of `Glyphs.levels`: first the one for no value, then from the least to the most.
"""

from __future__ import annotations

from collections.abc import Sequence

Value = float | None
"""What is plotted, not below 0; None where there is nothing to plot."""


def spark(values: Sequence[Value], levels: str, most: float | None = None) -> str:
    """One character for each value. The least level is for 0 alone, the highest for `most`, which is the highest value
    where it is not given."""
    nothing, rising = levels[0], levels[1:]
    if most is None:
        most = max((value for value in values if value is not None), default=0.0)

    def level(value: float) -> int:
        if value <= 0 or most <= 0:
            return 0
        return min(len(rising) - 1, 1 + int(value / most * (len(rising) - 1) - 1e-9))

    return "".join(nothing if value is None else rising[level(value)] for value in values)


def bar(value: Value, most: float, width: int, levels: str) -> str:
    """As many of the highest level as the value has of the width that `most` has; at least one where it is not 0. It is
    filled up with blanks."""
    if value is None or value <= 0 or most <= 0:
        return " " * width
    return (levels[-1] * max(1, round(width * min(1.0, value / most)))).ljust(width)
