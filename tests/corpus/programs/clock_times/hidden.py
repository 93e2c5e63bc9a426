import pytest
from subject import is_within, parse, rounded, show, span


def test_all_minutes():
    for minute in range(0, 1440, 7):
        assert parse(show(minute)) == minute
        assert parse(show(minute, twelve=True)) == minute
        assert parse(show(minute, twelve=True).replace(" ", "").upper()) == minute
        assert show(minute - 1440) == show(minute) == show(minute + 2880)
        assert len(show(minute)) == 5


def test_hours_of_twelve():
    assert [show(h * 60, True) for h in (0, 1, 11, 12, 13, 23)] == [
        "12:00 am",
        "1:00 am",
        "11:00 am",
        "12:00 pm",
        "1:00 pm",
        "11:00 pm",
    ]
    assert parse("12am") == 0
    assert parse("1 pm") == 780
    assert parse("12:59pm") == 779


def test_errors():
    for text, said in (("9", "neither"), ("13 pm", "no hour 13"), ("0:30am", "no hour 0"), ("24:00", "of a day")):
        with pytest.raises(ValueError, match=said):
            parse(text)
    for text in ("1:234", "-1:00", "1:-1", ":30", "am", "1:", "1:00 xm", "1 2:00", "9:60am", "11:99"):
        with pytest.raises(ValueError):
            parse(text)
    assert parse("23:59") == 1439


def test_spans_and_within():
    for start in range(0, 1440, 160):
        for end in range(0, 1440, 160):
            walked, time = 1, (start + 1) % 1440
            while time != end:
                walked, time = walked + 1, (time + 1) % 1440
            assert span(start, end) == walked
            inside = {(start + n) % 1440 for n in range(walked)} if start != end else set()
            for time in range(0, 1440, 32):
                assert is_within(time, start, end) == (time in inside)


def test_rounding():
    for step in (1, 5, 10, 15, 60):
        for minute in range(0, 1440, 11):
            result = rounded(minute, step)
            assert result % step == 0 and 0 <= result < 1440
            away = min((result - minute) % 1440, (minute - result) % 1440)
            assert away <= step / 2
    assert rounded(5, 10) == 10
    assert rounded(1430, 60) == 0
    assert rounded(30, 60) == 60


def test_quarters_by_default():
    assert [rounded(minute) for minute in (0, 7, 8, 22, 23, 37, 38)] == [0, 0, 15, 15, 30, 30, 45]
