"""Answers that go round in circles are left; what is long for another reason is not."""

from __future__ import annotations

import pytest

from treadle.plugins.models.bound import Bound
from treadle.plugins.models.circles import LONG, ROUND, Circles


def closed(text: str, size: int) -> str:
    """What is said of the text when it comes in pieces of this size."""
    circles = Circles()
    return next(filter(None, (circles.closed_by(text[at : at + size]) for at in range(0, len(text), size))), "")


@pytest.mark.parametrize(
    "again", ["Yes. ", "    return 1\n", "\N{SNOWMAN}", "".join(map(chr, range(300, 300 + ROUND)))]
)
@pytest.mark.parametrize("size", [1, 7, 100_000])
def test_the_same_words_again_and_again_are_no_answer(again: str, size: int) -> None:
    said = closed("It begins well, and then:\n" + again * (2 * LONG // len(again)), size)
    what = f"{len(again)} characters" if len(again) > 1 else "character"
    assert said == f"its answer goes round in circles: it says the same {what} again and again"


def test_what_only_looks_alike_is_an_answer() -> None:
    rows = "".join(f"    ({number}, 'row', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),\n" for number in range(2_000))
    zeros = "0, " * (LONG // 3 - 100)
    assert not closed(rows, 4)
    assert not closed(f"table = [{zeros}]\n" + rows, 4)


def test_it_is_a_bound_of_every_answer() -> None:
    assert "goes round in circles" in Bound(100_000).passed_by("And then? " * LONG)
