import random

import pytest
from subject import BadRange, booklet, parse, show


def test_there_and_back():
    rng = random.Random(0)
    for _ in range(150):
        pages = [rng.randint(1, 20) for _ in range(rng.randint(0, 12))]
        text = show(pages)
        assert parse(text, 20) == sorted(set(pages))
        for part in filter(None, text.split(", ")):
            if "-" in part:
                low, high = map(int, part.split("-"))
                assert high - low >= 2
        last = rng.randint(1, 20)
        assert parse(text, last) == [p for p in sorted(set(pages)) if p <= last]


def test_ranges_by_hand():
    rng = random.Random(1)
    for _ in range(100):
        a, b, last = rng.randint(1, 9), rng.randint(1, 9), rng.randint(1, 9)
        walk = range(a, b + 1) if a <= b else range(a, b - 1, -1)
        assert parse(f" {a} - {b} ", last) == [p for p in walk if p <= last]
        assert parse(f"{a}-", last) == (list(range(a, last + 1)) if a <= last else [last])
        assert parse(f"-{b}", last) == [p for p in range(1, b + 1) if p <= last]
        assert parse(f"{a},{b},{a}", 9) == list(dict.fromkeys([a, b]))


def test_odd_even_edges():
    assert parse("odd", 1) == [1]
    assert parse("even", 1) == []
    assert parse("EVEN,odd", 4) == [2, 4, 1, 3]
    assert parse(" , ,2,", 4) == [2]


def test_errors():
    for text, said in (
        ("a", "'a' is no range"),
        ("1-b", "'1-b'"),
        ("--2", "no range"),
        ("2--", "no range"),
        ("3-0", "from 1"),
        ("-0", "from 1"),
        ("²", "no range"),
    ):
        with pytest.raises(BadRange, match=said):
            parse(text, 5)
    with pytest.raises(BadRange):
        parse("1,2,-", 5)


def test_shown():
    assert show([5]) == "5"
    assert show([5, 6]) == "5, 6"
    assert show([7, 6, 5, 5]) == "5-7"
    assert show({1, 3, 4, 5, 6, 8}) == "1, 3-6, 8"


def test_booklets():
    for last in range(14):
        sheets = booklet(last)
        assert len(sheets) == -(-last // 4)
        pages = [p for sheet in sheets for side in sheet for p in side if p is not None]
        assert sorted(pages) == list(range(1, last + 1))
        total = 4 * len(sheets)
        for number, ((a, b), (c, d)) in enumerate(sheets):
            full = [
                p if p <= last else None
                for p in (total - 2 * number, 2 * number + 1, 2 * number + 2, total - 2 * number - 1)
            ]
            assert [a, b, c, d] == full
