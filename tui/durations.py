"""How long something took, for a person."""

from __future__ import annotations

from treadle.core.durations import in_words

_EXACT_BELOW_S = 100


def clock(seconds: float) -> str:
    """Minutes and seconds as on a clock, and hours where there are any: 2:03, 1:02:03."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def took(seconds: float) -> str:
    """The same, or tenths of a second where it is short: 4.2 s."""
    return f"{seconds:.1f} s" if seconds < _EXACT_BELOW_S else clock(seconds)


def asked_again(seconds: float | None) -> str:
    """What is said behind a failure of a model that is asked again after so many seconds; None: it is not."""
    if seconds is None:
        return ""
    return f"; asked again in {in_words(seconds)}" if seconds else "; asked again at once"
