"""Measurements: quartiles, outliers and gaps."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple


class Summary(NamedTuple):
    """The five numbers of a box plot."""

    low: float
    first_quarter: float
    median: float
    third_quarter: float
    high: float


def quantile(values: list[float], part: float) -> float:
    """The value below which such a part (0 to 1) of the values lies, between neighbours by proportion."""
    if not values:
        raise ValueError("no values")
    if not 0 <= part <= 1:
        raise ValueError("a part is between 0 and 1")
    ordered = sorted(values)
    place = part * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def summary(values: list[float]) -> Summary:
    """Lowest, quarters and highest."""
    return Summary(*(quantile(values, part / 4) for part in range(5)))


def outliers(values: list[float], factor: float = 1.5) -> list[float]:
    """The values that lie further than `factor` quarter ranges outside of the middle half, in their order."""
    if len(values) < 4:
        return []
    box = summary(values)
    reach = factor * (box.third_quarter - box.first_quarter)
    return [value for value in values if value < box.first_quarter - reach or value > box.third_quarter + reach]


def deviation(values: list[float]) -> float:
    """The sample's standard deviation, 0 for fewer than two values."""
    count = len(values)
    if count < 2:
        return 0.0
    mean = sum(values) / count
    return sqrt(sum((value - mean) ** 2 for value in values) / (count - 1))


def correlation(pairs: list[tuple[float, float]]) -> float | None:
    """Pearson's correlation; None where one of the sides doesn't vary."""
    count = len(pairs)
    if count == 0:
        return None
    mean_x = sum(x for x, _ in pairs) / count
    mean_y = sum(y for _, y in pairs) / count
    both = sum((x - mean_x) * (y - mean_y) for x, y in pairs)
    spread = sum((x - mean_x) ** 2 for x, _ in pairs) * sum((y - mean_y) ** 2 for _, y in pairs)
    return both / sqrt(spread) if spread else None


def filled(values: list[float | None]) -> list[float]:
    """The values, gaps filled in by straight lines, at the ends by the nearest value; ValueError if all are gaps."""
    known = [place for place, value in enumerate(values) if value is not None]
    if not known:
        raise ValueError("nothing but gaps")
    result = []
    for place, value in enumerate(values):
        if value is not None:
            result.append(value)
            continue
        before = max((k for k in known if k < place), default=known[0])
        after = min((k for k in known if k > place), default=known[-1])
        share = (place - before) / (after - before) if after != before else 0
        result.append(values[before] + (values[after] - values[before]) * share)
    return result
