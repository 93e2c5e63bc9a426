import pytest
from subject import BadRange, booklet, parse, show


def test_parse():
    assert parse("1-3, 7", 10) == [1, 2, 3, 7]


def test_open_ranges():
    assert parse("8-", 10) == [8, 9, 10]
    assert parse("-2", 10) == [1, 2]


def test_backwards_and_once():
    assert parse("4-2,3,1", 10) == [4, 3, 2, 1]


def test_odd_and_even():
    assert parse("even", 7) == [2, 4, 6]
    assert parse("Odd, 2", 5) == [1, 3, 5, 2]


def test_beyond_the_last():
    assert parse("3-9,12", 4) == [3, 4]
    assert parse("", 4) == []


def test_bad():
    for text in ("x", "1-2-3", "0", "-", "0-3", "1.5"):
        with pytest.raises(BadRange):
            parse(text, 10)


def test_show():
    assert show([3, 1, 2, 7, 9, 8, 12, 13]) == "1-3, 7-9, 12, 13"
    assert show([]) == ""


def test_booklet():
    assert booklet(8) == [((8, 1), (2, 7)), ((6, 3), (4, 5))]
    assert booklet(3) == [((None, 1), (2, 3))]
