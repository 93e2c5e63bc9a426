"""The calendar with its events."""

from __future__ import annotations

import datetime as dt
from bisect import insort

from subject.event import Event


class Clash(Exception):
    """An event at the time of others, which are named."""

    def __init__(self, others: list[Event]):
        super().__init__(", ".join(event.title for event in others))
        self.others = others


class Calendar:
    """Events sorted by time, of which no two overlap."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def clashes(self, event: Event) -> list[Event]:
        """The events at the same time."""
        return [other for other in self.events if other.overlaps(event)]

    def add(self, event: Event) -> None:
        """Add an event; Clash when the time is taken."""
        if others := self.clashes(event):
            raise Clash(others)
        insort(self.events, event)

    def find(self, title: str) -> Event:
        """The first event of that title, whatever its case; KeyError if there is none."""
        for event in self.events:
            if event.title.lower() == title.lower():
                return event
        raise KeyError(title)

    def move(self, title: str, start: dt.datetime) -> Event:
        """Move an event; when the time is taken it stays where it is."""
        event = self.find(title)
        self.events.remove(event)
        moved = event.moved(start)
        try:
            self.add(moved)
        except Clash:
            insort(self.events, event)
            raise
        return moved

    def on(self, day: dt.date) -> list[Event]:
        """The events of a day, also those that began before or end after it."""
        midnight = dt.datetime.combine(day, dt.time())
        whole_day = Event(midnight, midnight + dt.timedelta(days=1), "day")
        return self.clashes(whole_day)

    def free(self, start: dt.datetime, end: dt.datetime, minutes: int = 30) -> list[tuple[dt.datetime, dt.datetime]]:
        """The free times between start and end that are at least so long."""
        found = []
        at = start
        for event in self.events:
            if event.end <= at:
                continue
            if event.start >= end:
                break
            found.append((at, event.start))
            at = event.end
        found.append((at, end))
        return [(a, b) for a, b in found if b - a >= dt.timedelta(minutes=minutes) and a < b]
