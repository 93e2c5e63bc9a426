"""Events in time."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace


@dataclass(frozen=True, order=True)
class Event:
    """Something from start to before end."""

    start: dt.datetime
    end: dt.datetime
    title: str
    place: str = ""

    def __post_init__(self) -> None:
        if self.end <= self.start:
            raise ValueError(f"{self.title} ends before it starts")

    @property
    def minutes(self) -> int:
        """How long it takes."""
        return int((self.end - self.start).total_seconds() // 60)

    def overlaps(self, other: Event) -> bool:
        """Whether both take place at some time."""
        return self.start < other.end and other.start < self.end

    def moved(self, start: dt.datetime) -> Event:
        """The event at another time, as long as before."""
        return replace(self, start=start, end=start + (self.end - self.start))
