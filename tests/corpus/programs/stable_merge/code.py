"""A stable merge sort with a key, and merging of lists that are sorted already."""

from collections.abc import Callable, Iterable
from typing import Any

Key = Callable[[Any], Any]


def _identity(item: Any) -> Any:
    return item


def merge(left: list[Any], right: list[Any], key: Key = _identity) -> list[Any]:
    """One sorted list of two; of equals, those of the left list come first."""
    merged = []
    i = j = 0
    while i < len(left) and j < len(right):
        if key(right[j]) < key(left[i]):
            merged.append(right[j])
            j += 1
        else:
            merged.append(left[i])
            i += 1
    return merged + left[i:] + right[j:]


def merge_sort(items: Iterable[Any], key: Key = _identity, reverse: bool = False) -> list[Any]:
    """The items sorted by the key; equal ones stay in their order, also in reverse."""
    items = list(items)
    if reverse:
        return merge_sort(items[::-1], key)[::-1]
    runs = [[item] for item in items]
    while len(runs) > 1:
        paired = [merge(runs[i], runs[i + 1], key) for i in range(0, len(runs) - 1, 2)]
        if len(runs) % 2 == 1:
            paired.append(runs[-1])
        runs = paired
    return runs[0] if runs else []


def inversions(items: list[Any]) -> int:
    """How many pairs stand in the wrong order."""
    if len(items) < 2:
        return 0
    middle = len(items) // 2
    left, right = items[:middle], items[middle:]
    count = inversions(left) + inversions(right)
    left, right = merge_sort(left), merge_sort(right)
    passed = 0
    for item in left:
        while passed < len(right) and right[passed] < item:
            passed += 1
        count += passed
    return count
