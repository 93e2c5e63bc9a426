from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.skills.levenshtein import levenshtein

words = st.text(alphabet="abc", max_size=9)


def plainly(one: str, other: str) -> int:
    """The definition, word for word."""
    if not one or not other:
        return len(one) + len(other)
    return min(
        plainly(one[1:], other) + 1,
        plainly(one, other[1:]) + 1,
        plainly(one[1:], other[1:]) + (one[0] != other[0]),
    )


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [("", "", 0), ("a", "", 1), ("flaw", "lawn", 2), ("intention", "execution", 5), ("ab", "ba", 2), ("aab", "ab", 1)],
)
def test_known_distances(one: str, other: str, distance: int) -> None:
    assert levenshtein(one, other) == levenshtein(other, one) == distance


short = st.text(alphabet="ab", max_size=5)


@given(short, short)
def test_it_is_what_the_definition_says(one: str, other: str) -> None:
    assert levenshtein(one, other) == plainly(one, other)


@given(words, words, st.integers(0, 10))
def test_a_limit_changes_no_distance_up_to_it_and_hides_all_above(one: str, other: str, limit: int) -> None:
    full = levenshtein(one, other)
    assert full is not None
    assert levenshtein(one, other, limit=limit) == (full if full <= limit else None)


@given(words, words, words)
def test_going_round_is_never_shorter(a: str, b: str, c: str) -> None:
    direct, first, second = levenshtein(a, c), levenshtein(a, b), levenshtein(b, c)
    assert direct is not None and first is not None and second is not None
    assert direct <= first + second
    assert (direct == 0) == (a == c)


def test_any_sequences_will_do() -> None:
    assert levenshtein(["to", "be"], ["to", "have", "been"]) == 2
    assert levenshtein([[1], [2]], [[1], [3]]) == 1


def test_a_limit_of_zero_asks_for_equality() -> None:
    assert levenshtein("same", "same", limit=0) == 0
    assert levenshtein("same", "sane", limit=0) is None


def test_a_limit_below_zero_is_refused() -> None:
    with pytest.raises(ValueError):
        levenshtein("a", "b", limit=-1)


def test_a_limit_makes_long_texts_cheap() -> None:
    compared = 0

    class Letter:
        def __init__(self, value: int) -> None:
            self.value = value

        def __eq__(self, other: object) -> bool:
            nonlocal compared
            compared += 1
            return isinstance(other, Letter) and self.value == other.value

        __hash__ = None  # type: ignore[assignment]

    one = [Letter(n % 7) for n in range(2000)]
    other = [Letter((n + 1) % 7) for n in range(2000)]
    assert levenshtein(one, other, limit=3) == 2
    assert compared < 2000 * 10
