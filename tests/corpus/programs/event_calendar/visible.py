import datetime as dt

import pytest
from subject import Calendar, Clash, Event, agenda


def at(hour, minute=0, day=1):
    return dt.datetime(2024, 7, day, hour, minute)


def calendar():
    one = Calendar()
    one.add(Event(at(14), at(15, 30), "Review", "Room 2"))
    one.add(Event(at(9), at(10), "Standup"))
    one.add(Event(at(22), at(2, day=2), "Release"))
    return one


def test_order_and_length():
    assert [e.title for e in calendar().events] == ["Standup", "Review", "Release"]
    assert [e.minutes for e in calendar().events] == [60, 90, 240]
    with pytest.raises(ValueError):
        Event(at(9), at(9), "x")


def test_clash():
    one = calendar()
    with pytest.raises(Clash) as caught:
        one.add(Event(at(9, 30), at(14, 1), "Long"))
    assert [e.title for e in caught.value.others] == ["Standup", "Review"]
    one.add(Event(at(10), at(14), "Between"))


def test_find():
    assert calendar().find("review").place == "Room 2"
    with pytest.raises(KeyError):
        calendar().find("nap")


def test_move():
    one = calendar()
    assert one.move("Standup", at(16)).end == at(17)
    assert [e.title for e in one.events] == ["Review", "Standup", "Release"]


def test_move_to_a_taken_time():
    one = calendar()
    with pytest.raises(Clash):
        one.move("Standup", at(15))
    assert one.find("Standup").start == at(9)


def test_on():
    assert [e.title for e in calendar().on(dt.date(2024, 7, 2))] == ["Release"]
    assert calendar().on(dt.date(2024, 7, 3)) == []


def test_free():
    assert calendar().free(at(8), at(18)) == [(at(8), at(9)), (at(10), at(14)), (at(15, 30), at(18))]
    assert calendar().free(at(8), at(12), minutes=90) == [(at(10), at(12))]


def test_agenda():
    assert agenda(calendar(), dt.date(2024, 7, 1)) == [
        "Mon 01 Jul",
        "  09:00 Standup (1h)",
        "  14:00 Review (1h30m) @ Room 2",
        "  22:00 Release (4h)",
        "Tue 02 Jul",
        "   ...  Release (4h)",
    ]
