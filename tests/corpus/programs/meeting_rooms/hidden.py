import random

import pytest
from subject import Booking, NotFree, Room, find_room, rooms_needed


def test_against_minutes():
    rng = random.Random(0)
    for _ in range(40):
        room, taken, count = Room("r", 1), set(), 0
        for _ in range(12):
            start = rng.randint(0, 30)
            end = start + rng.randint(1, 6)
            minutes = set(range(start, end))
            assert room.is_free(start, end) == (not minutes & taken)
            if minutes & taken:
                with pytest.raises(NotFree, match="r is taken"):
                    room.book(start, end, "t")
            else:
                room.book(start, end, "t")
                taken |= minutes
                count += 1
            assert len(room.bookings) == count
            assert room.bookings == sorted(room.bookings)
        for time in range(40):
            later = [m for m in taken if m > time]
            expected = None if time in taken else min(later, default=99)
            assert room.free_until(time, closing=99) == expected


def test_needed_against_minutes():
    rng = random.Random(1)
    for _ in range(80):
        meetings = [(s, s + rng.randint(1, 5)) for s in (rng.randint(0, 12) for _ in range(rng.randint(0, 9)))]
        most = max((sum(s <= m < e for s, e in meetings) for m in range(20)), default=0)
        assert rooms_needed(meetings) == most


def test_smallest_room_by_name():
    rooms = [Room("B", 4), Room("A", 4), Room("C", 3), Room("D", 4)]
    assert find_room(rooms, 4, 0, 1).name == "A"
    assert find_room(rooms, 3, 0, 1).name == "C"
    rooms[1].book(0, 5, "x")
    assert find_room(rooms, 4, 4, 6).name == "B"
    assert find_room(rooms, 4, 5, 6).name == "A"
    assert find_room([], 1, 0, 1) is None


def test_errors():
    room = Room("r", 1)
    for end in (5, 4):
        with pytest.raises(ValueError, match="after it starts"):
            room.book(5, end, "x")
    assert room.bookings == []
    assert Room("s", 1).bookings is not room.bookings
    assert room.free_until(0) == 1440
    assert Booking(1, 2, "a") == Booking(1, 2, "b")
