import random

import pytest
from subject import SCALES, SMALL, TENS, counted, in_words, ordinal

VALUES = {w: i for i, w in enumerate(SMALL)} | {w: 10 * i for i, w in enumerate(TENS) if w}


def read(text):
    total = group = 0
    for word in text.replace("-", " ").split():
        if word == "and":
            continue
        if word == "hundred":
            group *= 100
        elif word in SCALES:
            total, group = total + group * 1000 ** SCALES.index(word), 0
        else:
            group += VALUES[word]
    return total + group


def test_read_back():
    rng = random.Random(0)
    for number in [*range(1, 300), *(rng.randrange(10 ** rng.randint(4, 12)) for _ in range(100))]:
        text = in_words(number)
        assert read(text) == number
        assert "  " not in text and text == text.strip()
        assert in_words(-number) == ("minus " + text if number else "zero")


def test_and():
    assert in_words(1001) == "one thousand and one"
    assert in_words(1099) == "one thousand and ninety-nine"
    assert in_words(1100) == "one thousand one hundred"
    assert in_words(0) == "zero"
    assert in_words(100) == "one hundred"
    assert in_words(110) == "one hundred and ten"
    assert in_words(1000) == "one thousand"
    assert in_words(2000012) == "two million and twelve"
    assert in_words(101000) == "one hundred and one thousand"


def test_limits():
    assert in_words(10**12 - 1).startswith("nine hundred and ninety-nine billion")
    with pytest.raises(OverflowError, match="too large"):
        in_words(-(10**12))


def test_ordinals():
    for n in range(200):
        end = "th" if n // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
        assert ordinal(n) == f"{n}{end}"


def test_counted():
    assert counted(12, "egg") == "twelve eggs"
    assert counted(2, "box", "boxes") == "two boxes"
    assert counted(0, "mouse", plural="mice") == "no mice"
    assert counted(1, "mouse", plural="mice") == "one mouse"
    assert counted(1000, "mouse", plural="mice") == "1000 mice"


def test_words_up_to_twelve():
    assert counted(13, "egg") == "13 eggs"
    assert [ordinal(n) for n in (10, 20, 110)] == ["10th", "20th", "110th"]
