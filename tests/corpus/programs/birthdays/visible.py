import datetime as dt

import pytest
from subject import Person, age, birthday_in, half_of, next_birthday, upcoming

TODAY = dt.date(2024, 3, 10)
PEOPLE = [
    Person("Ann", dt.date(1984, 3, 12)),
    Person("Bob", dt.date(1990, 3, 10)),
    Person("Cid", dt.date(2001, 3, 9)),
    Person("Dot", dt.date(1999, 3, 11)),
]


def test_birthday_in():
    assert birthday_in(dt.date(2000, 2, 29), 2023) == dt.date(2023, 3, 1)
    assert birthday_in(dt.date(2000, 2, 29), 2024) == dt.date(2024, 2, 29)
    assert birthday_in(dt.date(1990, 7, 4), 2023) == dt.date(2023, 7, 4)


def test_age():
    assert age(dt.date(1990, 3, 10), TODAY) == 34
    assert age(dt.date(1990, 3, 11), TODAY) == 33


def test_not_yet_born():
    with pytest.raises(ValueError):
        age(dt.date(2024, 3, 11), TODAY)


def test_next_birthday():
    assert next_birthday(dt.date(1990, 3, 10), TODAY) == (TODAY, 34)
    assert next_birthday(dt.date(2001, 3, 9), TODAY) == (dt.date(2025, 3, 9), 24)


def test_upcoming():
    assert upcoming(PEOPLE, TODAY) == [
        "03-10 Bob turns 34 today",
        "03-11 Dot turns 25 tomorrow",
        "03-12 Ann turns 40 in 2 days",
    ]


def test_upcoming_days():
    assert upcoming(PEOPLE, TODAY, days=0) == ["03-10 Bob turns 34 today"]


def test_median():
    assert half_of(PEOPLE[:3], TODAY) == 34
    assert half_of(PEOPLE, TODAY) == 29
