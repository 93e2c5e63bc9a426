"""Programs about lists."""

import itertools
from collections.abc import Iterable
from typing import Any


def chunks(values: list[int], size: int) -> list[list[int]]:
    """Cut a list into pieces of one size; the last may be shorter."""
    return [values[start : start + size] for start in range(0, len(values), size)]


def check_chunks(candidate):
    assert candidate([], 3) == []
    assert candidate([1, 2, 3, 4], 2) == [[1, 2], [3, 4]]
    assert candidate([1, 2, 3], 2) == [[1, 2], [3]]
    assert candidate([1], 5) == [[1]]
    assert candidate([1, 2], 1) == [[1], [2]]


def without_repeats(values: list[Any]) -> list[Any]:
    """Keep the first of equal values, in their order."""
    return list(dict.fromkeys(values))


def check_without_repeats(candidate):
    assert candidate([]) == []
    assert candidate([1, 1, 1]) == [1]
    assert candidate([3, 1, 3, 2, 1]) == [3, 1, 2]
    assert candidate(list("loom")) == ["l", "o", "m"]
    assert candidate([0, False, 1, True]) == [0, 1]


def turn_left(values: list[int], steps: int) -> list[int]:
    """Move the first values to the end, step by step; negative steps go the other way."""
    if not values:
        return []
    cut = steps % len(values)
    return values[cut:] + values[:cut]


def check_turn_left(candidate):
    assert candidate([1, 2, 3], 1) == [2, 3, 1]
    assert candidate([1, 2, 3], -1) == [3, 1, 2]
    assert candidate([1, 2, 3], 3) == [1, 2, 3]
    assert candidate([1, 2, 3], 7) == [2, 3, 1]
    assert candidate([], 4) == []


def differences(values: list[int]) -> list[int]:
    """Each value less the one before it."""
    return [after - before for before, after in itertools.pairwise(values)]


def check_differences(candidate):
    assert candidate([]) == []
    assert candidate([5]) == []
    assert candidate([1, 4, 9, 16]) == [3, 5, 7]
    assert candidate([2, 2]) == [0]
    assert candidate([3, 1]) == [-2]


def peaks(values: list[int]) -> list[int]:
    """The positions of values larger than both neighbours; the ends are none."""
    return [i for i in range(1, len(values) - 1) if values[i - 1] < values[i] > values[i + 1]]


def check_peaks(candidate):
    assert candidate([]) == []
    assert candidate([1, 2]) == []
    assert candidate([1, 3, 2]) == [1]
    assert candidate([1, 3, 3, 1]) == []
    assert candidate([0, 2, 1, 4, 0]) == [1, 3]
    assert candidate([9, 1, 9]) == []


def split_at(values: list[int], mark: int) -> list[list[int]]:
    """The parts between marks; as with text, marks beside each other have an empty part between them."""
    parts: list[list[int]] = [[]]
    for value in values:
        if value == mark:
            parts.append([])
        else:
            parts[-1].append(value)
    return parts


def check_split_at(candidate):
    assert candidate([], 0) == [[]]
    assert candidate([1, 0, 2], 0) == [[1], [2]]
    assert candidate([0], 0) == [[], []]
    assert candidate([1, 2], 0) == [[1, 2]]
    assert candidate([1, 0, 0, 2], 0) == [[1], [], [2]]


def second_largest(values: list[int]) -> int | None:
    """The largest value below the maximum; None when all are equal."""
    different = sorted(set(values))
    return different[-2] if len(different) > 1 else None


def check_second_largest(candidate):
    assert candidate([]) is None
    assert candidate([4]) is None
    assert candidate([4, 4]) is None
    assert candidate([1, 5, 3]) == 3
    assert candidate([5, 5, 2]) == 2
    assert candidate([-1, -2]) == -2


def balance_point(values: list[int]) -> int:
    """The first position with equal sums before and behind it, -1 when there is none."""
    before, whole = 0, sum(values)
    for index, value in enumerate(values):
        if 2 * before + value == whole:
            return index
        before += value
    return -1


def check_balance_point(candidate):
    assert candidate([]) == -1
    assert candidate([7]) == 0
    assert candidate([1, 5, 1]) == 1
    assert candidate([2, 3, 4]) == -1
    assert candidate([1, 7, 3, 6, 5, 6]) == 3
    assert candidate([0, 0, 0]) == 0


def runs(values: list[int]) -> list[tuple[int, int]]:
    """Each run of equal values as the value and its length."""
    return [(value, len(list(group))) for value, group in itertools.groupby(values)]


def check_runs(candidate):
    assert candidate([]) == []
    assert candidate([1]) == [(1, 1)]
    assert candidate([1, 1, 2]) == [(1, 2), (2, 1)]
    assert candidate([1, 2, 1]) == [(1, 1), (2, 1), (1, 1)]
    assert candidate([0] * 100) == [(0, 100)]


# passes=False: the list changes while it is walked, so neighbours of what goes are passed over
def drop_negative(values: list[int]) -> list[int]:
    """The list without its negative values."""
    kept = values[:]
    for value in kept:
        if value < 0:
            kept.remove(value)
    return kept


def check_drop_negative(candidate):
    assert candidate([]) == []
    assert candidate([1, 2]) == [1, 2]
    assert candidate([-1, 2]) == [2]
    assert candidate([-1, -2, 3]) == [3]
    assert candidate([-5, -5, -5]) == []


def moving_sums(values: list[int], width: int) -> list[int]:
    """The sum of each window of this width."""
    sums = [sum(values[:width])] if 0 < width <= len(values) else []
    for leaving, coming in zip(values, values[width:], strict=False):
        if sums:
            sums.append(sums[-1] - leaving + coming)
    return sums


def check_moving_sums(candidate):
    assert candidate([1, 2, 3, 4], 2) == [3, 5, 7]
    assert candidate([1, 2, 3], 3) == [6]
    assert candidate([1, 2], 3) == []
    assert candidate([], 1) == []
    assert candidate([4, 5], 1) == [4, 5]


def flatten_once(values: Iterable[Any]) -> list[Any]:
    """Lists within become part of the whole, but not the lists within those."""
    flat: list[Any] = []
    for value in values:
        flat += value if isinstance(value, list) else [value]
    return flat


def check_flatten_once(candidate):
    assert candidate([]) == []
    assert candidate([1, [2, 3]]) == [1, 2, 3]
    assert candidate([[1], [[2]]]) == [1, [2]]
    assert candidate([[], []]) == []
    assert candidate(("a", ["b"])) == ["a", "b"]


def missing_between(values: list[int]) -> list[int]:
    """The whole numbers between the least and the largest that are not there."""
    return sorted(set(range(min(values), max(values))) - set(values)) if values else []


def check_missing_between(candidate):
    assert candidate([]) == []
    assert candidate([3]) == []
    assert candidate([1, 4]) == [2, 3]
    assert candidate([5, 1, 3]) == [2, 4]
    assert candidate([-1, 1]) == [0]


def pair_up(values: list[str]) -> list[tuple[str, str | None]]:
    """Each two in a row as a pair; one that stays alone is paired with None."""
    even = iter(values)
    return list(itertools.zip_longest(even, even))


def check_pair_up(candidate):
    assert candidate([]) == []
    assert candidate(["a"]) == [("a", None)]
    assert candidate(["a", "b"]) == [("a", "b")]
    assert candidate(["a", "b", "c"]) == [("a", "b"), ("c", None)]
    assert len(candidate(list("abcdef"))) == 3


def longest_rise(values: list[int]) -> list[int]:
    """The longest stretch in which each value is larger than the one before; the first of equals."""
    best: list[int] = []
    current: list[int] = []
    for value in values:
        current = [*current, value] if current and value > current[-1] else [value]
        if len(current) > len(best):
            best = current
    return best


def check_longest_rise(candidate):
    assert candidate([]) == []
    assert candidate([3, 2, 1]) == [3]
    assert candidate([1, 2, 2, 3]) == [1, 2]
    assert candidate([5, 1, 2, 3, 0, 9]) == [1, 2, 3]
    assert candidate([1, 2, 3]) == [1, 2, 3]


def swap_ends(values: list[int]) -> list[int]:
    """A new list with its first and last value exchanged."""
    if len(values) < 2:
        return values[:]
    return [values[-1], *values[1:-1], values[0]]


def check_swap_ends(candidate):
    assert candidate([]) == []
    assert candidate([1]) == [1]
    assert candidate([1, 2]) == [2, 1]
    assert candidate([1, 2, 3, 4]) == [4, 2, 3, 1]
    given = [1, 2, 3]
    candidate(given)
    assert given == [1, 2, 3]


# passes=False: an empty list has no first value to begin with
def largest_gap(values: list[int]) -> int:
    """The largest distance between neighbours in sorted order; 0 for fewer than two values."""
    ordered = sorted(values)
    gap, last = 0, ordered[0]
    for value in ordered:
        gap, last = max(gap, value - last), value
    return gap


def check_largest_gap(candidate):
    assert candidate([1, 10, 4]) == 6
    assert candidate([5]) == 0
    assert candidate([2, 2]) == 0
    assert candidate([-3, 3]) == 6
    assert candidate([]) == 0
