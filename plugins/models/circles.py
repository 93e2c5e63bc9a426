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


class Circles:
    """The end of one answer, as far as it has come."""

    def __init__(self) -> None:
        self._end = ""
        self._unseen = 0

    def closed_by(self, text: str) -> str:
        """Take a piece that has come; what is wrong with the answer then, "" while it goes on. It is looked at after
        each `_LOOK` characters: for every word that would cost more than the word."""
        self._end = (self._end + text)[-LONG:]
        self._unseen += len(text)
        if self._unseen < _LOOK or len(self._end) < LONG:
            return ""
        self._unseen = 0
        size = _round_of(self._end)
        what = f"{size} characters" if size > 1 else "character"
        return f"its answer goes round in circles: it says the same {what} again and again" if size else ""


def _round_of(text: str) -> int:
    """How many characters are repeated from the beginning to the end of the text, 0 where it is not so."""
    last = len(text) - _SAMPLE
    before = text.rfind(text[last:], 0, len(text) - 1)
    size = last - before
    return size if before >= 0 and size <= ROUND and text[size:] == text[:-size] else 0
