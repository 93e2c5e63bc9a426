import random
from math import ceil

import pytest
from subject import Ledger, Transfer, split_evenly, tip


def test_random_journeys():
    rng = random.Random(0)
    for _ in range(60):
        ledger, owed = Ledger(), {}
        for _ in range(rng.randint(0, 8)):
            payer, cents = rng.choice("abcde"), rng.randint(0, 1000)
            people = rng.sample("abcde", rng.randint(1, 5))
            ledger.expense(payer, cents, *people)
            owed[payer] = owed.get(payer, 0) + cents
            for index, person in enumerate(sorted(people)):
                owed[person] = owed.get(person, 0) - cents // len(people) - (index < cents % len(people))
        assert ledger.balances() == owed
        assert list(ledger.balances()) == sorted(owed)
        transfers = ledger.settle()
        rest = dict(owed)
        for giver, taker, cents in transfers:
            assert rest[giver] == min(rest.values()) and rest[taker] == max(rest.values())
            assert 0 < cents == min(-rest[giver], rest[taker])
            rest[giver] += cents
            rest[taker] -= cents
        assert not any(rest.values())
        assert len(transfers) < max(1, sum(value != 0 for value in owed.values()))
        assert ledger.balances() == owed


def test_parts():
    for cents in range(20):
        for people in range(1, 7):
            parts = split_evenly(cents, people)
            assert sum(parts) == cents and len(parts) == people
            assert parts == sorted(parts, reverse=True) and parts[0] - parts[-1] <= 1
    with pytest.raises(ValueError, match="nobody"):
        Ledger().expense("a", 5)


def test_ties_by_name():
    ledger = Ledger()
    ledger.expense("z", 200, "c", "b")
    assert ledger.settle() == [Transfer("b", "z", 100), Transfer("c", "z", 100)]
    other = Ledger()
    other.expense("y", 5, "a")
    other.expense("x", 5, "a")
    assert [t.taker for t in other.settle()] == ["x", "y"]


def test_tips():
    for cents in range(0, 3000, 37):
        for percent in (0, 7, 15):
            for step in (1, 50, 100):
                exact = ceil(cents * (100 + percent) / 100 - 1e-9)
                assert tip(cents, percent, step) == ceil(exact / step) * step
    assert tip(0, 10) == 0


def test_tip_by_default():
    assert [tip(cents, 0) for cents in (1, 50, 51, 100, 101)] == [50, 50, 100, 100, 150]
