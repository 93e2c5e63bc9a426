import random

import pytest
from subject import UNITS, clock, parse, show


def test_there_and_back():
    rng = random.Random(0)
    for _ in range(200):
        seconds = rng.randrange(10 ** rng.randint(1, 7))
        text = show(seconds, parts=5)
        assert parse(text) == seconds
        assert parse(text.replace(" ", "")) == seconds
        assert parse(text.upper()) == seconds
        for parts in (1, 2, 3):
            short = show(seconds, parts)
            assert text.startswith(short)
            assert len(short.split()) == min(parts, len(text.split()))
        assert show(-seconds) == ("-" + show(seconds) if seconds else "0s")
        fields = [int(field) for field in clock(seconds).split(":")]
        value = 0
        for field in fields:
            value = value * 60 + field
        assert value == seconds
        assert len(fields) == (3 if seconds >= 3600 else 2)


def test_all_names():
    for word, size in (("week", "w"), ("day", "d"), ("hour", "h"), ("minute", "m"), ("second", "s")):
        assert parse(f"3 {word}s") == parse(f"3{word}") == parse(f"3{size}") == 3 * UNITS[size]
    assert parse("2 sec") == parse("2secs") == 2


def test_separators():
    assert parse("1h, 2m") == parse("1h and 2m") == parse("1h,2m") == parse("  1H 2M ") == 3720
    for text in (
        "1h & 2m",
        "1h 2",
        "1h and",
        "x 1h",
        "1h 1h",
        "1 fortnight",
        "1m 1m",
        "1s 1m",
        "1 ss s",
        ".5h",
        "1..5h",
    ):
        with pytest.raises(ValueError):
            parse(text)


def test_fractions():
    assert parse(" 0 ") == 0
    assert parse("007") == 7
    assert parse("0.5m 1s") == 31
    assert parse("1.26s") == 1
    assert parse("0.1d") == 8640
    with pytest.raises(ValueError, match="large to small"):
        parse("1m 2h")
    with pytest.raises(ValueError, match="unknown unit"):
        parse("1 year")


def test_clock_edges():
    assert clock(0) == "0:00"
    assert clock(59) == "0:59"
    assert clock(60) == "1:00"
    assert clock(3599) == "59:59"
    assert clock(3600) == "1:00:00"
    assert clock(360000) == "100:00:00"


def test_sizes_of_units():
    assert UNITS == {"w": 7 * 86400, "d": 24 * 3600, "h": 3600, "m": 60, "s": 1}
    assert show(90061) == "1d 1h"
    assert show(3600 * 24 * 8 + 1) == "1w 1d"
