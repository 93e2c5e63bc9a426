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
