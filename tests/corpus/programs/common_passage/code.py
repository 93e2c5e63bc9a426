"""What two texts have in common, word by word."""

from typing import NamedTuple


class Passage(NamedTuple):
    """A run of words: where it begins in each text, and how many words it has."""

    first: int
    second: int
    length: int


def longest_passage(first: list[str], second: list[str]) -> Passage | None:
    """The longest run of words that is in both; of several the earliest in the first text."""
    best = None
    above = [0] * (len(second) + 1)
    for i, word in enumerate(first):
        row = [0]
        for j, other in enumerate(second):
            length = above[j] + 1 if word.lower() == other.lower() else 0
            row.append(length)
            if length and (best is None or length > best.length):
                best = Passage(i - length + 1, j - length + 1, length)
        above = row
    return best


def passages(first: list[str], second: list[str], shortest: int = 2) -> list[Passage]:
    """The longest passage and, left and right of it, further ones, in the order of the texts."""
    best = longest_passage(first, second)
    if best is None or best.length < shortest:
        return []
    before = passages(first[: best.first], second[: best.second], shortest)
    i, j = best.first + best.length, best.second + best.length
    after = passages(first[i:], second[j:], shortest)
    return [*before, best, *(Passage(p.first + i, p.second + j, p.length) for p in after)]


def overlap(first: str, second: str) -> float:
    """The part of the shorter text, from 0 to 1, that is in passages of both."""
    words, others = first.split(), second.split()
    if not words or not others:
        return 0.0
    common = sum(passage.length for passage in passages(words, others))
    return common / min(len(words), len(others))
