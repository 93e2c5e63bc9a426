"""What it costs to bring a book back late."""

from __future__ import annotations

import datetime as dt

PER_DAY = 20
PER_DAY_LATER = 50
LATER = 7
MOST = 1000


def fine(due: dt.date, returned: dt.date) -> int:
    """Cents: so much for each day of the first week, then more, up to a limit."""
    late = (returned - due).days
    if late <= 0:
        return 0
    first = min(late, LATER)
    return min(first * PER_DAY + (late - first) * PER_DAY_LATER, MOST)
