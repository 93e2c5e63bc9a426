import pytest
from subject import is_within, parse, rounded, show, span


def test_parse():
    assert parse("9:05") == 545
    assert parse("21:30") == 1290
    assert parse(" 0:00 ") == 0


def test_parse_halves():
    assert parse("9pm") == 1260
    assert parse("12:15 am") == 15
    assert parse("12 PM") == 720


def test_not_a_time():
    for text in ("24:00", "9", "9:5", "13pm", "0am", "x:10", "10:60", ""):
        with pytest.raises(ValueError):
            parse(text)


def test_show():
    assert show(545) == "09:05"
    assert show(545, twelve=True) == "9:05 am"
    assert show(720, True) == "12:00 pm"
    assert show(1500) == "01:00"


def test_span():
    assert span(600, 660) == 60
    assert span(1380, 60) == 120
    assert span(5, 5) == 1440


def test_within():
    assert is_within(600, 540, 1020)
    assert not is_within(1020, 540, 1020)
    assert is_within(30, 1320, 360)
    assert not is_within(720, 1320, 360)


def test_rounded():
    assert rounded(547) == 540
    assert rounded(548) == 555
    assert rounded(1435) == 0
