"""How long an answer may become before it is left: whatever goes on beyond what was asked for may be paid for."""

from __future__ import annotations

from treadle.core.models.believable import REASONING
from treadle.core.models.tokens import CHARACTERS
from treadle.plugins.models.circles import Circles

MOST_CHARACTERS = 32_000_000
"""Characters of an answer whose length the request does not bound."""
A_TOKEN = 16
"""Characters that a token has at most on average over a whole answer: long runs of blanks are the worst."""


class Bound:
    """The bound of one answer, its reasoning and its calls counted, by the tokens that the request allows it. Some
    services count the reasoning beside them."""

    def __init__(self, max_tokens: int | None) -> None:
        self._circles = Circles()
        self._tokens = max_tokens
        self._most = MOST_CHARACTERS
        if max_tokens is not None:
            self._most = min(MOST_CHARACTERS, A_TOKEN * max_tokens + CHARACTERS * REASONING)
        self._come = 0

    @property
    def bytes(self) -> int:
        """What a body that holds a whole answer has at most, each character of it escaped."""
        return 6 * self._most + 1_000_000

    @property
    def size(self) -> int:
        """The characters that have come."""
        return self._come

    @property
    def tokens(self) -> int:
        """The tokens of what has come, roughly and rather too many."""
        return -(-self._come // CHARACTERS)

    def passed_by(self, text: str) -> str:
        """Count a piece that has come; what is wrong with the answer then, "" while it is not too long. Raises
        `InCircles`."""
        self._come += len(text)
        if self._come <= self._most:
            self._circles.take(text)
            return ""
        asked = "" if self._tokens is None else f", although at most {self._tokens} tokens were asked for"
        return f"its answer is longer than {self._most} characters{asked}"
