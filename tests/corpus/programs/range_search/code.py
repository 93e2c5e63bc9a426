"""Searching in sorted lists without bisect."""

from collections.abc import Sequence


def first_at_least(values: Sequence[float], bound: float) -> int:
    """The index of the first value that isn't below the bound; the length if there is none."""
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if values[middle] < bound:
            low = middle + 1
        else:
            high = middle
    return low


def count_between(values: Sequence[float], low: float, high: float) -> int:
    """How many values v have low <= v < high."""
    if high < low:
        raise ValueError(f"{high} is below {low}")
    return first_at_least(values, high) - first_at_least(values, low)


def nearest(values: Sequence[float], target: float) -> float:
    """The value nearest to the target, the lower of two; ValueError if there are none."""
    if not values:
        raise ValueError("no values")
    after = first_at_least(values, target)
    if after == 0:
        return values[0]
    if after == len(values):
        return values[-1]
    below, above = values[after - 1], values[after]
    return above if above - target < target - below else below


def find_rotated(values: Sequence[float], target: float) -> int:
    """The index of a value in a sorted list of different values that was rotated, -1 if it isn't there."""
    low, high = 0, len(values) - 1
    while low <= high:
        middle = (low + high) // 2
        if values[middle] == target:
            return middle
        if values[low] <= values[middle]:
            left = values[low] <= target < values[middle]
        else:
            left = not values[middle] < target <= values[high]
        if left:
            high = middle - 1
        else:
            low = middle + 1
    return -1
