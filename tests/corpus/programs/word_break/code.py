"""Putting the spaces back into text that lost them."""

from functools import cache


def segment(text: str, words: set[str]) -> list[str] | None:
    """The text as words of the vocabulary, the fewest of them; None if it can't be read.

    Of equally short readings it is the one with the longer first word.
    """
    longest = max(map(len, words), default=0)

    @cache
    def read(start):
        if start == len(text):
            return ()
        best = None
        for end in range(min(len(text), start + longest), start, -1):
            if text[start:end] not in words:
                continue
            rest = read(end)
            if rest is not None and (best is None or len(rest) + 1 < len(best)):
                best = (text[start:end], *rest)
        return best

    found = read(0)
    return None if found is None else list(found)


def readings(text: str, words: set[str]) -> int:
    """In how many ways the text can be read."""
    ways = [0] * len(text) + [1]
    for start in range(len(text) - 1, -1, -1):
        for word in words:
            if word and text.startswith(word, start):
                ways[start] += ways[start + len(word)]
    return ways[0]


def respace(text: str, words: set[str], unknown: str = "?") -> str:
    """The text with spaces, in small letters; what can't be read has the mark after it."""
    found = segment(text.lower(), words)
    return " ".join(found) if found is not None else text + unknown
