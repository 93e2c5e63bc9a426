"""How long a service asks to be left alone, as its headers say it."""

from __future__ import annotations

import email.utils
import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime

_RESET = re.compile(r"anthropic-ratelimit-(.+)-reset")


def retry_after_s(headers: Mapping[str, str], now: float) -> float | None:
    """The seconds, None when it does not say. `headers` have their names in small letters; `now` is Unix time, for
    which the service's own clock counts where it tells."""
    now = _moment(headers.get("date", "")) or now
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    said = headers.get("retry-after", "")
    seconds = _number(said)
    if seconds is not None:
        return seconds
    until = _moment(said) or _reset(headers)
    return None if until is None else max(0.0, until - now)


def _reset(headers: Mapping[str, str]) -> float | None:
    """When the limits that are used up are full again; when none is said to be, the first of all."""
    resets: dict[str, float] = {}
    for name, value in headers.items():
        found, moment = _RESET.fullmatch(name), _moment(value)
        if found and moment is not None:
            resets[found[1]] = moment
    used_up = [at for limit, at in resets.items() if headers.get(f"anthropic-ratelimit-{limit}-remaining") == "0"]
    if used_up:
        return max(used_up)
    return min(resets.values(), default=None)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return max(0.0, number) if math.isfinite(number) else None


def _moment(text: str) -> float | None:
    """Unix time of an HTTP date, or of one by RFC 3339."""
    for read in (email.utils.parsedate_to_datetime, datetime.fromisoformat):
        try:
            moment = read(text)
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    return None
