"""Ages and birthdays."""

from __future__ import annotations

import calendar
import datetime as dt
from dataclasses import dataclass


@dataclass(frozen=True)
class Person:
    """Somebody with a day of birth."""

    name: str
    born: dt.date


def birthday_in(born: dt.date, year: int) -> dt.date:
    """The birthday in a year; who was born on February 29 has it on March 1 of common years."""
    if (born.month, born.day) == (2, 29) and not calendar.isleap(year):
        return dt.date(year, 3, 1)
    return born.replace(year=year)


def age(born: dt.date, today: dt.date) -> int:
    """Full years; ValueError before birth."""
    if today < born:
        raise ValueError("not yet born")
    years = today.year - born.year
    if today < birthday_in(born, today.year):
        years -= 1
    return years


def next_birthday(born: dt.date, today: dt.date) -> tuple[dt.date, int]:
    """The next birthday, which may be today, and how old one gets."""
    day = birthday_in(born, today.year)
    if day < today:
        day = birthday_in(born, today.year + 1)
    return day, day.year - born.year


def upcoming(people: list[Person], today: dt.date, days: int = 30) -> list[str]:
    """Lines such as '03-14 Ann turns 40 in 2 days' for the birthdays of the next days, soonest first."""
    lines = []
    for person in people:
        day, turns = next_birthday(person.born, today)
        wait = (day - today).days
        if wait > days:
            continue
        when = "today" if wait == 0 else "tomorrow" if wait == 1 else f"in {wait} days"
        lines.append((day, person.name, f"{day:%m-%d} {person.name} turns {turns} {when}"))
    return [line for *_, line in sorted(lines)]


def half_of(people: list[Person], today: dt.date) -> float:
    """The median age; ValueError for nobody."""
    ages = sorted(age(person.born, today) for person in people)
    if not ages:
        raise ValueError("nobody")
    middle = len(ages) // 2
    return ages[middle] if len(ages) % 2 else (ages[middle - 1] + ages[middle]) / 2
