"""Limits on how often something may be done; the caller says what time it is, in seconds."""

from __future__ import annotations

from collections import defaultdict, deque


class SlidingWindow:
    """At most `limit` times within any `seconds` for each key."""

    def __init__(self, limit: int, seconds: float):
        if limit < 1 or seconds <= 0:
            raise ValueError("a limit and a time above zero are needed")
        self.limit = limit
        self.seconds = seconds
        self._times: dict[str, deque[float]] = defaultdict(deque)

    def _current(self, key: str, now: float) -> deque[float]:
        times = self._times[key]
        while times and times[0] <= now - self.seconds:
            times.popleft()
        return times

    def allow(self, key: str, now: float) -> bool:
        """Whether it may be done now, which then counts."""
        times = self._current(key, now)
        if len(times) >= self.limit:
            return False
        times.append(now)
        return True

    def wait(self, key: str, now: float) -> float:
        """Seconds until it may be done."""
        times = self._current(key, now)
        if len(times) < self.limit:
            return 0.0
        return times[0] + self.seconds - now


class TokenBucket:
    """Tokens that come back at a rate per second, up to a capacity; each act takes some."""

    def __init__(self, capacity: float, rate: float, now: float = 0.0):
        self.capacity = capacity
        self.rate = rate
        self._tokens = capacity
        self._updated = now

    def tokens(self, now: float) -> float:
        """How many there are."""
        passed = max(now - self._updated, 0)
        self._tokens = min(self.capacity, self._tokens + passed * self.rate)
        self._updated = max(now, self._updated)
        return self._tokens

    def take(self, now: float, number: float = 1) -> bool:
        """Take tokens if there are so many."""
        if self.tokens(now) < number:
            return False
        self._tokens -= number
        return True


def backoff(attempt: int, first: float = 1.0, factor: float = 2.0, longest: float = 60.0) -> float:
    """Seconds to wait after an attempt that failed, counted from 1."""
    if attempt < 1:
        raise ValueError("attempts count from 1")
    return min(first * factor ** (attempt - 1), longest)
