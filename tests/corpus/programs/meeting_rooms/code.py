"""Booking rooms for meetings within a day; times are minutes since midnight."""

from __future__ import annotations

from bisect import bisect_left, insort
from dataclasses import dataclass, field


class NotFree(Exception):
    """The room is taken at that time."""


@dataclass(order=True, frozen=True)
class Booking:
    """A meeting from start to before end."""

    start: int
    end: int
    title: str = field(compare=False)


@dataclass
class Room:
    """A room with its seats and bookings, which are sorted by time."""

    name: str
    seats: int
    bookings: list[Booking] = field(default_factory=list)

    def is_free(self, start: int, end: int) -> bool:
        """Whether nothing is booked in between."""
        return all(booking.end <= start or booking.start >= end for booking in self.bookings)

    def book(self, start: int, end: int, title: str) -> Booking:
        """Book the room; NotFree when it's taken and ValueError when the end isn't after the start."""
        if end <= start:
            raise ValueError("a meeting ends after it starts")
        if not self.is_free(start, end):
            raise NotFree(f"{self.name} is taken")
        booking = Booking(start, end, title)
        insort(self.bookings, booking)
        return booking

    def free_until(self, time: int, closing: int = 1440) -> int | None:
        """Until when the room is free from a time on; None when a meeting is on."""
        if not self.is_free(time, time + 1):
            return None
        following = bisect_left([booking.start for booking in self.bookings], time)
        return self.bookings[following].start if following < len(self.bookings) else closing


def find_room(rooms: list[Room], people: int, start: int, end: int) -> Room | None:
    """The smallest room that is free and large enough, of equals the one that comes first in the alphabet."""
    fitting = [room for room in rooms if room.seats >= people and room.is_free(start, end)]
    return min(fitting, key=lambda room: (room.seats, room.name), default=None)


def rooms_needed(meetings: list[tuple[int, int]]) -> int:
    """How many rooms are needed for all meetings."""
    changes = [(start, 1) for start, _ in meetings] + [(end, -1) for _, end in meetings]
    most = used = 0
    for _, change in sorted(changes):
        used += change
        most = max(most, used)
    return most
