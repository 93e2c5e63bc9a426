"""Read a duration as people write it ("1h 30m", "250ms", "1.5 days") into seconds.

Thread safety: safe; there is no state.

Words: duration, time, seconds, parse, timeout, interval, minutes, hours, days.
"""

from __future__ import annotations

import re
from fractions import Fraction

__all__ = ["parse_duration"]

_UNITS = {
    "w": Fraction(604_800),
    "d": Fraction(86_400),
    "h": Fraction(3_600),
    "m": Fraction(60),
    "s": Fraction(1),
    "ms": Fraction(1, 1_000),
    "us": Fraction(1, 1_000_000),
    "ns": Fraction(1, 1_000_000_000),
}
_NAMES = {
    "w": ("w", "week", "weeks"),
    "d": ("d", "day", "days"),
    "h": ("h", "hr", "hrs", "hour", "hours"),
    "m": ("m", "min", "mins", "minute", "minutes"),
    "s": ("s", "sec", "secs", "second", "seconds"),
    "ms": ("ms", "millisecond", "milliseconds"),
    # Both code points that fonts draw as the Greek letter: MICRO SIGN and GREEK SMALL LETTER MU.
    "us": ("us", "\u00b5s", "\u03bcs", "microsecond", "microseconds"),
    "ns": ("ns", "nanosecond", "nanoseconds"),
}
_SECONDS = {name: _UNITS[unit] for unit, names in _NAMES.items() for name in names}
# [0-9], since \d takes the digits of every script.
_PART = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?|\.[0-9]+)\s*([^\W\d_]+)\s*", re.IGNORECASE)
_LONGEST = 100


def parse_duration(text: str) -> float:
    """The seconds that `text` says: numbers, each with its unit, larger units first and each at most once. Case and
    spaces do not matter; years and months, whose length varies, are not units. Computed exactly, rounded once.

    Raises `ValueError` with the place and the reason for anything else: no unit, an unknown one, a sign, the wrong
    order, a text of more than 100 characters.

    >>> parse_duration("1h 30m"), parse_duration("250ms"), parse_duration("1.5 days")
    (5400.0, 0.25, 129600.0)
    >>> parse_duration("90")
    Traceback (most recent call last):
        ...
    ValueError: '90' is no duration: expected a number and a unit, such as 30s, at position 0
    """
    if len(text) > _LONGEST:
        raise ValueError(f"{text[:20]!r}... is no duration: it has more than {_LONGEST} characters")
    total = Fraction(0)
    smallest: Fraction | None = None
    position = 0
    while position < len(text) or smallest is None:
        part = _PART.match(text, position)
        if part is None:
            raise ValueError(
                f"{text!r} is no duration: expected a number and a unit, such as 30s, at position {position}"
            )
        number, name = part.groups()
        unit = _SECONDS.get(name.lower())
        if unit is None:
            raise ValueError(f"{text!r} is no duration: unknown unit {name!r}; known are {', '.join(_UNITS)}")
        if smallest is not None and unit >= smallest:
            raise ValueError(f"{text!r} is no duration: {name!r} comes after a unit that is not larger")
        total += Fraction(number) * unit
        smallest = unit
        position = part.end()
    return float(total)
