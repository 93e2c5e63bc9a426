import random

import pytest
from subject import BadDigit, check_base, convert, read, write


def test_there_and_back():
    rng = random.Random(0)
    for _ in range(200):
        number, base = rng.randint(-5000, 5000), rng.randint(2, 36)
        text = write(number, base)
        assert int(text, base) == number
        assert read(text.upper(), base) == number
        assert read(write(number, base, width=9, group=rng.choice([None, 1, 3])), base) == number
        assert convert(text, base, 10) == str(number)


def test_widths_and_groups():
    for number in range(0, 300, 7):
        assert write(number, 2, width=6) == format(number, "06b")
        assert write(number, 10, group=3) == format(number, "_d")
        assert write(number, 16, group=4) == format(number, "_x")
    assert write(-5, 2, width=4) == "-0101"
    assert write(15, 2, group=2) == "11_11"
    assert write(0, 10, width=4, group=2) == "00_00"


def test_reading_forms():
    assert read("  z ", 36) == 35
    assert read("-0", 10) == 0
    assert read("007", 8) == 7
    for text in ("", "-", "_", "  "):
        with pytest.raises(ValueError, match="no digits"):
            read(text, 10)


def test_bad_digits():
    for text, base, place in (("8", 8, 0), ("7g", 16, 1), ("1-1", 10, 1), ("a b", 16, 1)):
        with pytest.raises(BadDigit) as caught:
            read(text, base)
        assert caught.value.place == place
        assert caught.value.digit == text[place]
    assert str(BadDigit("x", 3, 10)) == "'x' at 3 is no digit in base 10"


def test_bases():
    assert check_base(2) is None
    assert check_base(36) is None
    for base in (0, 1, 37, -2):
        with pytest.raises(ValueError, match=f"base {base} "):
            read("1", base)
