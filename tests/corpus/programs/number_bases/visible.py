import pytest
from subject import BadDigit, convert, read, write


def test_write():
    assert write(255, 16) == "ff"
    assert write(10, 2) == "1010"
    assert write(0, 2) == "0"
    assert write(-35, 36) == "-z"


def test_width():
    assert write(5, 2, width=8) == "00000101"


def test_groups():
    assert write(0b11010, 2, group=4) == "1_1010"
    assert write(1234567, 10, group=3) == "1_234_567"


def test_read():
    assert read("FF", 16) == 255
    assert read("-1_000", 2) == -8


def test_bad_digit():
    with pytest.raises(BadDigit) as caught:
        read("1021", 2)
    assert caught.value.digit == "2"
    assert caught.value.place == 2


def test_bad_base():
    for base in (1, 37):
        with pytest.raises(ValueError):
            write(1, base)


def test_convert():
    assert convert("777", 8, 2) == "111111111"
