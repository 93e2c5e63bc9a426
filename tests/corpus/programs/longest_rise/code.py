"""Rises in a row of measurements."""

from bisect import bisect_left


def longest_rise(values: list[float]) -> list[float]:
    """The most values, in their order though not side by side, of which each is greater than the one before."""
    tails: list[float] = []
    places: list[int] = []
    previous: list[int | None] = []
    for index, value in enumerate(values):
        length = bisect_left(tails, value)
        if length == len(tails):
            tails.append(value)
            places.append(index)
        else:
            tails[length] = value
            places[length] = index
        previous.append(places[length - 1] if length > 0 else None)
    rise = []
    at = places[-1] if places else None
    while at is not None:
        rise.append(values[at])
        at = previous[at]
    return rise[::-1]


def streaks(values: list[float], shortest: int = 2) -> list[tuple[int, int]]:
    """(start, end) of each stretch of neighbours that rises all the way, the end not included."""
    found = []
    start = 0
    for index in range(1, len(values) + 1):
        if index == len(values) or values[index] <= values[index - 1]:
            if index - start >= shortest:
                found.append((start, index))
            start = index
    return found


def largest_gain(values: list[float]) -> float:
    """The greatest difference of a value and an earlier one, 0 when nothing ever rises."""
    gain = 0.0
    lowest = None
    for value in values:
        if lowest is None or value < lowest:
            lowest = value
        gain = max(gain, value - lowest)
    return gain
