"""How long something lasts, as a person would say it."""

from __future__ import annotations

import math

_LONG_S = 366 * 86_400


def in_words(seconds: float) -> str:
    """About how long, in the unit in which a person would say it; not too short."""
    for size, unit in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{math.ceil(seconds / size)} {unit}" if seconds < _LONG_S else "more than a year"
    return f"{math.ceil(seconds)} s"


def in_seconds(seconds: float) -> str:
    """A limit, or what was taken of it, so that one is told from the other: 0.1 s, 2.5 s, 1,200 s."""
    if seconds >= 100 or seconds == int(seconds):
        return f"{seconds:,.0f} s"
    return (
        f"{seconds:.{1 if seconds >= 10 else 2}f}".rstrip("0").rstrip(".") + " s"
        if seconds >= 0.01
        else f"{seconds:.2g} s"
    )
