import random
from collections import Counter

import pytest
from subject import SHIFTS, RotaError, hours, may_work, plan, swap


def breaks_a_rule(rota):
    for day, shifts in rota.items():
        if len(set(shifts.values())) < len(shifts):
            return True
        night, early = shifts.get("night"), rota.get(day + 1, {}).get("early")
        if night is not None and night == early:
            return True
    return False


def test_random_rotas():
    rng = random.Random(0)
    for _ in range(40):
        people = list("abcdefg"[: rng.randint(4, 7)])
        rng.shuffle(people)
        away = {person: {rng.randrange(6)} for person in rng.sample(people, rng.randint(0, 2))}
        copy = {person: set(days) for person, days in away.items()}
        try:
            rota = plan(people, 6, away)
        except RotaError:
            assert len(people) < 6
            continue
        assert away == copy
        assert list(rota) == list(range(6))
        assert all(tuple(shifts) == SHIFTS for shifts in rota.values())
        assert not breaks_a_rule(rota)
        worked = Counter()
        for day, shifts in rota.items():
            for index, shift in enumerate(SHIFTS):
                so_far = {d: s for d, s in rota.items() if d < day} | {day: {s: shifts[s] for s in SHIFTS[:index]}}
                able = [p for p in people if day not in away.get(p, ()) and may_work(so_far, p, day, shift)]
                assert shifts[shift] == min(able, key=lambda p: (worked[p], people.index(p)))
                worked[shifts[shift]] += 1
        assert hours(rota, length=1, night_bonus=0) == dict(worked)
        assert sum(hours(rota).values()) == 6 * 25
        for _ in range(15):
            one = (rng.randrange(6), rng.choice(SHIFTS))
            other = (rng.randrange(6), rng.choice(SHIFTS))
            if one == other:
                continue
            expected = {day: dict(shifts) for day, shifts in rota.items()}
            a, b = rota[one[0]][one[1]], rota[other[0]][other[1]]
            expected[one[0]][one[1]], expected[other[0]][other[1]] = b, a
            if breaks_a_rule(expected):
                with pytest.raises(RotaError, match="may not work"):
                    swap(rota, one, other)
            else:
                assert swap(rota, one, other) == expected
        assert not breaks_a_rule(rota)


def test_messages():
    with pytest.raises(RotaError, match="nobody for night on day 0"):
        plan(["a", "b"], 1)
    with pytest.raises(RotaError, match="nobody for early on day 1"):
        plan(["a", "b", "c"], 2, {"a": [1], "b": [1]})
    assert plan([], 0) == {}
    assert plan(["x"], 0) == {}


def test_hours():
    assert hours({}) == {}
    assert hours({0: {"night": "a", "late": "b"}}, 6, night_bonus=2) == {"a": 8, "b": 6}
    assert may_work({}, "a", 0, "early")
    assert may_work({0: {"night": "b"}}, "a", 1, "early")
    assert may_work({0: {"late": "a"}}, "a", 1, "early")
    assert not may_work({3: {"late": "a"}}, "a", 3, "early")
