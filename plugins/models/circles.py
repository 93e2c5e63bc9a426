"""Answers that go round in circles: small models fall into saying the same words again until their tokens are used up,
which takes minutes and may be paid for."""

from __future__ import annotations

LONG = 12_000
"""So many characters that are nothing but repetition are no answer any more; tables of zeros are shorter."""
ROUND = 1_000
"""What is repeated has at most so many characters."""
_LOOK = 2_000
_SAMPLE = 200
"""The last characters, by which it is found what the repeated part may be."""


class InCircles(Exception):
    """The answer goes round in circles. It is left where it is, and cut off: what the service had still said would have
    been the same until its limit."""


class Circles:
    """The end of one answer, as far as it has come."""

    def __init__(self) -> None:
        self._end = ""
        self._unseen = 0

    def take(self, text: str) -> None:
        """Take a piece that has come. Raises `InCircles`. It is looked at after each `_LOOK` characters: for every word
        that would cost more than the word."""
        self._end = (self._end + text)[-LONG:]
        self._unseen += len(text)
        if self._unseen < _LOOK or len(self._end) < LONG:
            return
        self._unseen = 0
        if _is_one_round(self._end):
            raise InCircles


def _is_one_round(text: str) -> bool:
    """Whether the same characters are repeated from the beginning to the end of the text."""
    last = len(text) - _SAMPLE
    before = text.rfind(text[last:], 0, len(text) - 1)
    size = last - before
    return before >= 0 and size <= ROUND and text[size:] == text[:-size]
