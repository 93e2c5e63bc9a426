"""How long something lasts, in words."""

from __future__ import annotations

import pytest

from treadle.core.durations import in_words


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
