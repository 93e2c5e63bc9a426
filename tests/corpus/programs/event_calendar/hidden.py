import datetime as dt
import random

import pytest
from subject import Calendar, Clash, Event, agenda

DAY = dt.datetime(2024, 7, 1)


def at(minutes):
    return DAY + dt.timedelta(minutes=minutes)


def test_random_calendars():
    rng = random.Random(0)
    for _ in range(40):
        calendar, taken = Calendar(), {}
        for number in range(12):
            start = 10 * rng.randint(0, 60)
            end = start + 10 * rng.randint(1, 8)
            slots = set(range(start, end, 10))
            title = f"E{number}"
            event = Event(at(start), at(end), title)
            others = {t for t, own in taken.items() if own & slots}
            assert {e.title for e in calendar.clashes(event)} == others
            if others:
                with pytest.raises(Clash) as caught:
                    calendar.add(event)
                assert {e.title for e in caught.value.others} == others
            else:
                calendar.add(event)
                taken[title] = slots
            if taken and rng.random() < 0.4:
                title = rng.choice(sorted(taken))
                own = sorted(taken[title])
                target = 10 * rng.randint(0, 60)
                moved = {slot - own[0] + target for slot in own}
                if any(moved & other for t, other in taken.items() if t != title):
                    with pytest.raises(Clash):
                        calendar.move(title.lower(), at(target))
                else:
                    assert calendar.move(title.lower(), at(target)).start == at(target)
                    taken[title] = moved
            assert calendar.events == sorted(calendar.events)
            assert {
                e.title: set(
                    range(int((e.start - DAY).total_seconds() // 60), int((e.end - DAY).total_seconds() // 60), 10)
                )
                for e in calendar.events
            } == taken
        low = 10 * rng.randint(0, 30)
        high = low + 10 * rng.randint(1, 40)
        used = set().union(*taken.values())
        for minutes in (10, 30, 60):
            expected, at_slot = [], low
            while at_slot < high:
                end = at_slot
                while end < high and end not in used:
                    end += 10
                if end - at_slot >= minutes:
                    expected.append((at(at_slot), at(end)))
                at_slot = end + 10
            assert calendar.free(at(low), at(high), minutes) == expected


def test_days():
    calendar = Calendar()
    calendar.add(Event(at(-60), at(0), "before"))
    calendar.add(Event(at(0), at(1440), "whole"))
    calendar.add(Event(at(1440), at(1500), "after"))
    assert [e.title for e in calendar.on(DAY.date())] == ["whole"]
    assert [e.title for e in calendar.on(dt.date(2024, 6, 30))] == ["before"]
    assert calendar.free(at(0), at(1440), 0) == []
    assert Calendar().free(at(0), at(30)) == [(at(0), at(30))]
    assert Calendar().free(at(0), at(29)) == []


def test_events():
    event = Event(at(0), at(90), "x", "here")
    assert event.moved(at(60)) == Event(at(60), at(150), "x", "here")
    assert event.overlaps(Event(at(89), at(91), "y"))
    assert not event.overlaps(Event(at(90), at(91), "y"))
    assert not Event(at(90), at(91), "y").overlaps(event)
    with pytest.raises(ValueError, match="z ends before"):
        Event(at(5), at(4), "z")


def test_agendas():
    calendar = Calendar()
    assert agenda(calendar, DAY.date()) == []
    calendar.add(Event(at(0), at(45), "a"))
    calendar.add(Event(at(1440 * 7), at(1440 * 7 + 61), "b", "P"))
    assert agenda(calendar, DAY.date()) == ["Mon 01 Jul", "  00:00 a (45m)"]
    assert agenda(calendar, DAY.date(), 8)[2:] == ["Mon 08 Jul", "  00:00 b (1h1m) @ P"]
    assert agenda(calendar, DAY.date(), days=0) == []


def test_same_title():
    calendar = Calendar()
    calendar.add(Event(at(60), at(70), "A"))
    calendar.add(Event(at(0), at(10), "a"))
    assert calendar.find("A").start == at(0)
    with pytest.raises(KeyError, match="q"):
        calendar.move("q", at(0))
    with pytest.raises(Clash, match=r"^a, A$"):
        calendar.add(Event(at(5), at(65), "x"))


def test_no_length():
    with pytest.raises(ValueError):
        Event(at(5), at(5), "z")
    assert Event(at(5), at(6), "z").minutes == 1
