"""The lines of a reply, fit for patterns: one that may cross lines, or meets a line of any length, can take hours."""

from __future__ import annotations

from collections.abc import Iterator

LONGEST = 2_000
"""Characters of a line that are looked at."""


def lines_of(reply: str) -> Iterator[str]:
    """The lines that say something, each without the blanks around it and cut at `LONGEST`."""
    for line in reply.splitlines():
        if said := line.strip()[:LONGEST]:
            yield said
