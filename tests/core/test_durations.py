"""How long something lasts, in words."""

from __future__ import annotations

import pytest

from treadle.core.durations import in_seconds, in_words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.2, "1 s"),
        (119, "119 s"),
        (121, "3 minutes"),
        (7_200, "2 hours"),
        (999_999, "12 days"),
        (1e300, "more than a year"),
    ],
)
def test_how_long_is_said_as_a_person_would(seconds: float, words: str) -> None:
    assert in_words(seconds) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.1, "0.1 s"), (0.004, "0.004 s"), (2.503, "2.5 s"), (59.97, "60 s"), (14_400.0, "14,400 s")],
)
def test_a_short_limit_is_not_told_as_none(seconds: float, words: str) -> None:
    assert in_seconds(seconds) == words
