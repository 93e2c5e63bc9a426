import pytest
from subject import counted, in_words, ordinal


def test_small():
    assert in_words(0) == "zero"
    assert in_words(13) == "thirteen"
    assert in_words(20) == "twenty"
    assert in_words(42) == "forty-two"


def test_hundreds():
    assert in_words(300) == "three hundred"
    assert in_words(115) == "one hundred and fifteen"


def test_thousands():
    assert in_words(2005) == "two thousand and five"
    assert in_words(12345) == "twelve thousand three hundred and forty-five"


def test_millions():
    assert in_words(1000000) == "one million"
    assert in_words(-7000100) == "minus seven million one hundred"


def test_too_large():
    with pytest.raises(OverflowError):
        in_words(10**12)


def test_ordinal():
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 102, 111)] == [
        "1st",
        "2nd",
        "3rd",
        "4th",
        "11th",
        "12th",
        "13th",
        "21st",
        "102nd",
        "111th",
    ]


def test_counted():
    assert counted(0, "apple") == "no apples"
    assert counted(1, "apple") == "one apple"
    assert counted(3, "child", "children") == "three children"
    assert counted(13, "apple") == "13 apples"
