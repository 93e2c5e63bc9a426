import random

import pytest
from subject import TaxTable


def test_unit_by_unit():
    rng = random.Random(0)
    for _ in range(12):
        starts = rng.sample(range(0, 60, 3), rng.randint(1, 4))
        brackets = [(start, rng.choice([0, 5, 20, 33, 60, 99])) for start in starts]
        table = TaxTable(brackets)
        total = 0
        nets = []
        for income in range(90):
            assert table.tax(income) == total // 100
            assert table.net(income) == income - total // 100
            nets.append(income - total // 100)
            rate = max(((s, p) for s, p in brackets if s <= income), default=(0, 0))[1]
            assert table.rate(income) == rate
            total += rate
        for wanted in range(max(nets) + 1):
            assert table.gross_for(wanted) == next(i for i, net in enumerate(nets) if net >= wanted)


def test_deductions():
    table = TaxTable([(0, 50)])
    assert table.net(100, 40) == 70
    assert table.net(100, 100) == 100
    assert table.net(100, 101) == 100
    assert table.tax(3) == 1


def test_brackets_are_copied_and_sorted():
    brackets = [(50, 2), (0, 1)]
    table = TaxTable(brackets)
    assert brackets == [(50, 2), (0, 1)]
    assert table.brackets == [(0, 1), (50, 2)]


def test_explanations():
    table = TaxTable([(0, 5), (1000, 25)])
    assert table.explain(1000) == ["      0 to   1,000 at  5%"]
    assert table.explain(1001) == ["      0 to   1,000 at  5%", "  1,000 to   1,001 at 25%"]
    assert table.explain(0) == []


def test_messages():
    for brackets, said in (([], "no brackets"), ([(5, 1), (5, 1)], "same income"), ([(3, 1), (-1, 1)], "below zero")):
        with pytest.raises(ValueError, match=said):
            TaxTable(brackets)
    for top in (100, 120):
        with pytest.raises(ValueError, match="nothing more"):
            TaxTable([(0, 10), (10, top)]).gross_for(5)
    assert TaxTable([(0, 99)]).gross_for(3) == 201
