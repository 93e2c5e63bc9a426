"""Charts of bars and distributions as text."""

from collections import Counter
from math import floor


def bars(values: dict[str, float], width: int = 20, mark: str = "#") -> list[str]:
    """A line for each value; the largest has a bar of the full width, and anything above zero one mark at least."""
    if not values:
        return []
    longest = max(map(len, values))
    largest = max([0, *values.values()])
    lines = []
    for name, value in values.items():
        length = round(value / largest * width) if largest and value > 0 else 0
        if value > 0:
            length = max(length, 1)
        lines.append(f"{name:<{longest}} |{mark * length:<{width}}| {value:g}")
    return lines


def bins(numbers: list[float], size: float) -> dict[float, int]:
    """How many numbers are in each bin [start, start + size), from the lowest to the highest with those between."""
    counts = Counter(floor(number / size) for number in numbers)
    if not counts:
        return {}
    return {place * size: counts[place] for place in range(min(counts), max(counts) + 1)}


def histogram(numbers: list[float], size: float = 10, width: int = 20) -> list[str]:
    """The bars of the bins, named by their starts."""
    return bars({f"{start:g}": count for start, count in bins(numbers, size).items()}, width)


def sparkline(values: list[float], marks: str = " .:-=#") -> str:
    """One mark for each value, from the first mark for the lowest to the last one for the highest."""
    if not values:
        return ""
    low, high = min(values), max(values)
    if low == high:
        return marks[len(marks) // 2] * len(values)
    steps = len(marks) - 1
    return "".join(marks[int((value - low) / (high - low) * steps)] for value in values)
