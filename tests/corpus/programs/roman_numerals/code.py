"""Roman numerals from 1 to 3999."""

SIGNS = {"M": 1000, "D": 500, "C": 100, "L": 50, "X": 10, "V": 5, "I": 1}
STEPS = [
    (1000, "M"),
    (900, "CM"),
    (500, "D"),
    (400, "CD"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
]
LARGEST = 3999


def to_roman(number: int) -> str:
    """The numeral of a number; ValueError for one that has none."""
    if not 1 <= number <= LARGEST:
        raise ValueError(f"{number} is not between 1 and {LARGEST}")
    parts = []
    for value, sign in STEPS:
        times, number = divmod(number, value)
        parts.append(sign * times)
    return "".join(parts)


def from_roman(numeral: str) -> int:
    """The number of a numeral, in small or large letters; ValueError unless it is in the usual form."""
    total = 0
    largest = 0
    for sign in reversed(numeral.strip().upper()):
        if sign not in SIGNS:
            raise ValueError(f"{sign} is no Roman sign")
        value = SIGNS[sign]
        if value < largest:
            total -= value
        else:
            total += value
            largest = value
    if total == 0 or to_roman(total) != numeral.strip().upper():
        raise ValueError(f"{numeral!r} is no Roman numeral")
    return total
