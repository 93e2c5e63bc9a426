"""How many of something, as a person would say it."""

from __future__ import annotations


def counted(number: int, what: str, many: str = "") -> str:
    """So many of it, one or several: `1 file`, `1,200 files`; `many` where that is no `s` more."""
    return f"{number:,} {called(number, what, many)}"


def called(number: float, what: str, many: str = "") -> str:
    """What so many of something are called."""
    return what if number == 1 else many or f"{what}s"


def are(number: int) -> str:
    """What so many of something do where they are something."""
    return "is" if number == 1 else "are"
