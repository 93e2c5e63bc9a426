from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.skills.parse_duration import parse_duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0s", 0),
        ("90s", 90),
        ("1h30m", 5400),
        (" 1 H 30 Min ", 5400),
        ("2 weeks 1 day", 15 * 86400),
        ("250ms", 0.25),
        ("1.5h", 5400),
        (".5s", 0.5),
        ("10us", 1e-5),
        ("10\u00b5s", 1e-5),
        ("10\u03bcs", 1e-5),
        ("3ns", 3e-9),
        ("0.1s 200ms", 0.3),
        ("007m", 420),
    ],
)
def test_what_people_write(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "position 0"),
        ("   ", "position 0"),
        ("90", "position 0"),
        ("1h30", "position 2"),
        ("-5s", "position 0"),
        ("+5s", "position 0"),
        ("1e3s", "unknown unit 'e'"),
        ("5 parsecs", "unknown unit 'parsecs'"),
        ("1y", "unknown unit 'y'"),
        ("30m 1h", "comes after a unit that is not larger"),
        ("1m 1m", "comes after a unit that is not larger"),
        ("1.s", "position 0"),
        ("1..5s", "position 0"),
        ("1h, 5m", "position 2"),
        ("\u0663s", "position 0"),
        ("inf s", "position 0"),
        ("9" * 200 + "s", "more than 100 characters"),
    ],
)
def test_what_is_no_duration_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_duration(text)


@given(st.integers(0, 10**6), st.integers(0, 23), st.integers(0, 59), st.integers(0, 59), st.integers(0, 999))
def test_every_sum_of_parts_is_exact(days: int, hours: int, minutes: int, seconds: int, milliseconds: int) -> None:
    text = f"{days}d {hours}h {minutes}m {seconds}s {milliseconds}ms"
    whole = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    assert parse_duration(text) == (whole * 1000 + milliseconds) / 1000


@given(st.text(alphabet="0123456789.hms d-", max_size=30))
def test_any_text_is_a_number_of_seconds_or_a_value_error(text: str) -> None:
    try:
        assert parse_duration(text) >= 0
    except ValueError as error:
        assert "is no duration" in str(error)
