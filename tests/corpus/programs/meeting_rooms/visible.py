import pytest
from subject import Booking, NotFree, Room, find_room, rooms_needed


def room():
    one = Room("Oak", 6)
    one.book(600, 660, "staff")
    one.book(540, 570, "press")
    return one


def test_book():
    assert [b.title for b in room().bookings] == ["press", "staff"]
    assert room().book(570, 600, "gap") == Booking(570, 600, "gap")


def test_taken():
    for start, end in ((630, 700), (590, 601), (610, 620), (500, 800)):
        with pytest.raises(NotFree):
            room().book(start, end, "x")


def test_times_in_order():
    with pytest.raises(ValueError):
        room().book(700, 700, "x")


def test_free_until():
    assert room().free_until(570) == 600
    assert room().free_until(700, closing=1080) == 1080
    assert room().free_until(659) is None


def test_find_room():
    rooms = [Room("Hall", 40), room(), Room("Elm", 6), Room("Box", 2)]
    assert find_room(rooms, 4, 610, 620).name == "Elm"
    assert find_room(rooms, 7, 610, 620).name == "Hall"
    assert find_room(rooms, 50, 0, 10) is None


def test_rooms_needed():
    assert rooms_needed([(0, 10), (5, 15), (10, 20)]) == 2
    assert rooms_needed([]) == 0
