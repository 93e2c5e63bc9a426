import datetime as dt
import random

import pytest
from subject import Person, age, birthday_in, half_of, next_birthday, upcoming

DAY = dt.timedelta(days=1)


def test_ages_count_birthdays():
    rng = random.Random(0)
    for _ in range(60):
        born = dt.date(2000, 2, 29) if rng.random() < 0.3 else dt.date(1999, 1, 1) + rng.randint(0, 500) * DAY
        today = born + rng.randint(0, 4000) * DAY
        passed = [birthday_in(born, y) for y in range(born.year + 1, today.year + 1)]
        assert age(born, today) == sum(day <= today for day in passed)
        day, turns = next_birthday(born, today)
        coming = [birthday_in(born, y) for y in range(today.year, today.year + 2)]
        assert day == min(d for d in coming if d >= today)
        assert turns == age(born, day)


def test_leap_day():
    born = dt.date(2000, 2, 29)
    assert age(born, dt.date(2001, 2, 28)) == 0
    assert age(born, dt.date(2001, 3, 1)) == 1
    assert age(born, dt.date(2004, 2, 29)) == 4
    assert birthday_in(born, 1900) == dt.date(1900, 3, 1)
    assert birthday_in(dt.date(2000, 2, 28), 2001) == dt.date(2001, 2, 28)


def test_day_of_birth():
    day = dt.date(2020, 5, 5)
    assert age(day, day) == 0
    assert next_birthday(day, day) == (day, 0)
    with pytest.raises(ValueError, match="not yet"):
        age(day, day - DAY)


def test_over_the_turn_of_the_year():
    people = [
        Person("Zoe", dt.date(2000, 1, 2)),
        Person("Yan", dt.date(2000, 12, 31)),
        Person("Al", dt.date(1999, 1, 2)),
    ]
    assert upcoming(people, dt.date(2023, 12, 30), 3) == [
        "12-31 Yan turns 23 tomorrow",
        "01-02 Al turns 25 in 3 days",
        "01-02 Zoe turns 24 in 3 days",
    ]
    assert upcoming(people, dt.date(2023, 12, 30), 2) == ["12-31 Yan turns 23 tomorrow"]
    assert upcoming([], dt.date(2023, 1, 1)) == []


def test_upcoming_window():
    person = Person("Kim", dt.date(2000, 7, 31))
    assert upcoming([person], dt.date(2023, 7, 1)) == ["07-31 Kim turns 23 in 30 days"]
    assert upcoming([person], dt.date(2023, 6, 30)) == []


def test_medians():
    people = [Person(str(n), dt.date(2000 - n, 1, 1)) for n in (9, 1, 4, 7)]
    today = dt.date(2000, 6, 1)
    assert half_of(people, today) == 5.5
    assert half_of(people[:3], today) == 4
    assert half_of(people[:1], today) == 9
    with pytest.raises(ValueError, match="nobody"):
        half_of([], today)
