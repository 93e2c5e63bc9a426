"""Durations written as 1h30m or 2 days, 4 hours."""

import re

UNITS = {"w": 604800, "d": 86400, "h": 3600, "m": 60, "s": 1}
WORDS = {"week": "w", "day": "d", "hour": "h", "minute": "m", "min": "m", "second": "s", "sec": "s"}
_PART = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]+)")


def _unit(word: str) -> int:
    """The seconds of a unit by its letter or its name."""
    if word not in UNITS:
        word = WORDS.get(word, WORDS.get(word.removesuffix("s"), ""))
    if word not in UNITS:
        raise ValueError("unknown unit")
    return UNITS[word]


def parse(text: str) -> int:
    """Seconds, rounded; a plain number is in seconds. ValueError for what is no duration."""
    body = text.strip().lower()
    if body.isdecimal():
        return int(body)
    total = 0.0
    end = 0
    last = None
    for match in _PART.finditer(body):
        if body[end : match.start()].strip(" ,") not in ("", "and"):
            break
        size = _unit(match[2])
        if last is not None and size >= last:
            raise ValueError(f"{text!r}: units go from large to small")
        total += float(match[1]) * size
        last = size
        end = match.end()
    if last is None or end < len(body):
        raise ValueError(f"{text!r} is no duration")
    return round(total)


def show(seconds: int, parts: int = 2) -> str:
    """The duration in its largest units, at most so many of them: 1d 2h; the rest is left out."""
    if seconds < 0:
        return "-" + show(-seconds, parts)
    shown = []
    for unit, size in UNITS.items():
        number, seconds = divmod(seconds, size)
        if number:
            shown.append(f"{number}{unit}")
    return " ".join(shown[:parts]) or "0s"


def clock(seconds: int) -> str:
    """The duration as 1:02:03, or 2:03 below an hour."""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02}:{seconds:02}"
    return f"{minutes}:{seconds:02}"
