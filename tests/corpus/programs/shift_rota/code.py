"""A rota: who works on which shift, fairly and with rest between shifts."""

from collections import Counter

SHIFTS = ("early", "late", "night")


class RotaError(Exception):
    """Nobody can take a shift."""


def may_work(rota, person, day, shift):
    """Whether a person may take a shift: only one a day, and no early shift after a night."""
    if person in rota.get(day, {}).values():
        return False
    if shift == "early":
        return rota.get(day - 1, {}).get("night") != person
    if shift == "night":
        return rota.get(day + 1, {}).get("early") != person
    return True


def plan(people, days, away=None):
    """The rota, {day: {shift: person}} for days from 0; those who worked least come first.

    `away` maps a person to the days on which they can't work.
    """
    away = away or {}
    worked = Counter()
    rota = {}
    for day in range(days):
        rota[day] = {}
        for shift in SHIFTS:
            able = [
                person for person in people if day not in away.get(person, ()) and may_work(rota, person, day, shift)
            ]
            if not able:
                raise RotaError(f"nobody for {shift} on day {day}")
            chosen = min(able, key=lambda person: (worked[person], people.index(person)))
            rota[day][shift] = chosen
            worked[chosen] += 1
    return rota


def swap(rota, one, other):
    """The rota with two (day, shift) places swapped, or RotaError when somebody may not work there."""
    changed = {day: dict(shifts) for day, shifts in rota.items()}
    (day, shift), (other_day, other_shift) = one, other
    first, second = changed[day].pop(shift), changed[other_day].pop(other_shift)
    for person, new_day, new_shift in ((second, day, shift), (first, other_day, other_shift)):
        if not may_work(changed, person, new_day, new_shift):
            raise RotaError(f"{person} may not work {new_shift} on day {new_day}")
        changed[new_day][new_shift] = person
    return changed


def hours(rota, length=8, night_bonus=1):
    """The hours of each person; a night counts for some more."""
    counts = Counter()
    for shifts in rota.values():
        for shift, person in shifts.items():
            counts[person] += length + (night_bonus if shift == "night" else 0)
    return dict(counts)
