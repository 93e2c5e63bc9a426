import pytest
from subject import clock, parse, show


def test_parse_letters():
    assert parse("1h30m") == 5400
    assert parse("2d 4h") == 187200


def test_parse_words():
    assert parse("1 week, 2 days and 1 minute") == 777660
    assert parse("10 mins") == 600


def test_parse_numbers():
    assert parse("90") == 90
    assert parse("1.5h") == 5400


def test_not_a_duration():
    for text in ("", "h", "1x", "5m 1h", "1h or 2m", "1h30", "-1h"):
        with pytest.raises(ValueError):
            parse(text)


def test_show():
    assert show(93784) == "1d 2h"
    assert show(93784, parts=4) == "1d 2h 3m 4s"
    assert show(0) == "0s"
    assert show(-60) == "-1m"


def test_clock():
    assert clock(3723) == "1:02:03"
    assert clock(123) == "2:03"
    assert clock(5) == "0:05"
