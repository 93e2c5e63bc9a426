"""Write a number of bytes for people ("1.5 MiB"), and read what people write ("10MB", "1.5 GiB", "4K").

Units with an i (KiB, MiB, ... EiB) are powers of 1024, those without (kB, MB, ... EB) powers of 1000 (IEC 80000-13). A
bare letter (4K, 2G) is a power of 1024, as dd, du and ulimit take it. Case does not matter: "mb" is bytes, never bits.

Thread safety: safe; there is no state.

Words: bytes, size, format, parse, human, kib, mib, gib, kilobyte, megabyte, memory.
"""

from __future__ import annotations

import re
from fractions import Fraction

__all__ = ["format_bytes", "parse_bytes"]

_LETTERS = "KMGTPE"
_FACTORS = (
    {"": 1, "b": 1, "byte": 1, "bytes": 1}
    | {f"{letter}b".lower(): 1000**power for power, letter in enumerate(_LETTERS, 1)}
    | {f"{letter}ib".lower(): 1024**power for power, letter in enumerate(_LETTERS, 1)}
    | {letter.lower(): 1024**power for power, letter in enumerate(_LETTERS, 1)}
)
_SIZE = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?|\.[0-9]+)\s*([a-z]*)\s*", re.IGNORECASE)
_LONGEST = 100


def format_bytes(count: int, *, binary: bool = True) -> str:
    """The size in the largest unit of which there is at least one, with one decimal; whole bytes below. Powers of 1024
    when `binary`, else of 1000. Exact for integers of any size; never "1024.0 KiB", which rounds up to "1.0 MiB".

    >>> [format_bytes(n) for n in (0, 1023, 1536, 1024**2 - 1, -2048)]
    ['0 B', '1023 B', '1.5 KiB', '1.0 MiB', '-2.0 KiB']
    >>> format_bytes(1_500_000, binary=False)
    '1.5 MB'
    """
    base = 1024 if binary else 1000
    size = abs(count)
    sign = "-" if count < 0 else ""
    if size < base:
        return f"{sign}{size} B"
    power = 0
    tenths = 0
    while power < len(_LETTERS):
        power += 1
        tenths = (size * 10 + base**power // 2) // base**power
        if tenths < base * 10:
            break
    letter = _LETTERS[power - 1]
    unit = f"{letter}iB" if binary else f"{'k' if letter == 'K' else letter}B"
    return f"{sign}{tenths // 10}.{tenths % 10} {unit}"


def parse_bytes(text: str) -> int:
    """The number of bytes, rounded to the nearest whole one (half up); a number without a unit is bytes.

    Raises `ValueError` for anything else: an unknown unit, a sign, an exponent, more than 100 characters.

    >>> parse_bytes("1.5 KiB"), parse_bytes("10MB"), parse_bytes("4k"), parse_bytes("512")
    (1536, 10000000, 4096, 512)
    """
    match = _SIZE.fullmatch(text) if len(text) <= _LONGEST else None
    factor = _FACTORS.get(match[2].lower()) if match else None
    if match is None or factor is None:
        raise ValueError(f"{text[:_LONGEST]!r} is no size: write a number and a unit, such as 512 KiB or 10 MB")
    return int(Fraction(match[1]) * factor + Fraction(1, 2))
