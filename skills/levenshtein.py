"""Count the edits between two sequences: how many insertions, deletions and replacements turn one into the other.

The dynamic programme of Wagner and Fischer (JACM 21:1, 1974), two rows at a time, after cutting off the common ends;
with a limit only the diagonal band that can stay within it (Ukkonen, Information and Control 64, 1985).

Thread safety: safe; there is no state.

Words: levenshtein, edit, distance, similar, fuzzy, spelling, typo, nearest, suggest.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["levenshtein"]


def levenshtein(one: Sequence[object], other: Sequence[object], *, limit: int | None = None) -> int | None:
    """The edit distance of two strings (counted in code points: normalise them first where accents matter), or of two
    sequences of anything with `==`. None exactly when `limit` is given and the distance is above it.

    Takes O(n * m) steps, with a limit k O(k * min(n, m)), and O(min(n, m)) memory. Raises `ValueError` for a limit
    below 0.

    >>> levenshtein("kitten", "sitting"), levenshtein("same", "same"), levenshtein("", "abc")
    (3, 0, 3)
    >>> levenshtein("kitten", "sitting", limit=2) is None
    True
    """
    if limit is not None and limit < 0:
        raise ValueError(f"limit must not be below 0, not {limit}")
    short, long = sorted((one, other), key=len)
    start = 0
    while start < len(short) and short[start] == long[start]:
        start += 1
    ends = 0
    while ends < len(short) - start and short[-1 - ends] == long[-1 - ends]:
        ends += 1
    short, long = short[start : len(short) - ends], long[start : len(long) - ends]

    band = len(long) if limit is None else min(limit, len(long))
    if len(long) - len(short) > band:
        return None
    too_far = band + 1
    above = [min(column, too_far) for column in range(len(short) + 1)]
    row = above.copy()
    for line, wanted in enumerate(long, 1):
        low, high = max(1, line - band), min(len(short), line + band)
        # Outside of the band every distance is above the limit; only the cells at its borders are ever read.
        row[low - 1] = min(line, too_far) if low == 1 else too_far
        for column in range(low, high + 1):
            replace = above[column - 1] + (short[column - 1] != wanted)
            row[column] = min(replace, above[column] + 1, row[column - 1] + 1, too_far)
        if high < len(short):
            row[high + 1] = too_far
        if min(row[low - 1 : high + 1]) == too_far:
            return None
        above, row = row, above
    return None if above[-1] == too_far else above[-1]
